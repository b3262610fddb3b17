#include "simt/time/sample.hpp"

#include <algorithm>

#include "ptx/flow/data_loops.hpp"
#include "simt/time/progress.hpp"

namespace dojo::simt {
namespace {

constexpr uint64_t kSampledBlocks = 14;    // per launch
constexpr uint64_t kCoupledBlocks = 4096;  // all blocks up to here, where they may wait for each other

}  // namespace

TracedBlocks blocks_to_trace(const DeviceModel& m, const ptx::Module& module,
                             std::span<const LaunchNode> nodes) {
  struct Grid {
    uint64_t blocks, sms, first_wave, all_up_to;
    bool uneven;  ///< its blocks may differ in work by any factor
    bool sampled(uint64_t block) const {
      if (blocks <= kSampledBlocks || block + 1 == blocks) return true;
      if (block % sms == 0 && block / sms < first_wave) return true;
      // A few spread over the rest.
      const uint64_t rest = kSampledBlocks - first_wave - 1;
      const uint64_t step = blocks / (rest + 1);
      return step > 0 && block % step == step / 2 && block / step <= rest;
    }
  };
  std::vector<Grid> grids;
  for (const auto& n : nodes) {
    const ptx::Function& kernel = module.functions[n.function];
    grids.push_back(
        {n.spec.grid.count(), uint64_t(m.info.sms), std::min<uint64_t>(8, uint64_t(n.blocks_per_sm)),
         may_spin(module, kernel) ? kCoupledBlocks : kSampledBlocks, !m.toy && ptx::has_data_loop(kernel)});
  }
  const auto wanted = [grids](uint32_t launch, uint64_t block) {
    return grids[launch].blocks <= grids[launch].all_up_to || grids[launch].sampled(block);
  };
  return {wanted, [grids](uint32_t launch, uint64_t block) { return grids[launch].sampled(block); },
          [grids, wanted](uint32_t launch, uint64_t block) {
            return grids[launch].uneven && !wanted(launch, block);
          }};
}

}  // namespace dojo::simt
