#include "simt/gpu/occupancy.hpp"

#include <algorithm>

#include "core/collections/rounding.hpp"

namespace dojo::simt {
namespace {
constexpr int kQuarters = 4;

uint64_t smem_of_block(const DeviceModel& m, const KernelNeeds& k) {
  return round_up(k.static_smem + k.dynamic_smem + uint64_t(m.info.smem_reserved),
                  uint64_t(m.smem_granularity));
}
}  // namespace

Occupancy occupancy(const DeviceModel& m, const KernelNeeds& k) {
  const DeviceInfo& d = m.info;
  Occupancy o;
  const int warps = int((k.threads + 31) / 32);
  if (warps == 0) return o;
  o.by_blocks = d.blocks_per_sm;
  o.by_warps = d.warps_per_sm / warps;
  const int per_warp = int(round_up(uint64_t(std::max(k.registers, 1)) * 32, 256));
  // The hardware's check of one block takes warps in whole quarters.
  if (k.registers > 255 || per_warp * int(round_up(warps, kQuarters)) > d.registers_per_block)
    o.by_registers = 0;
  else
    o.by_registers = d.registers_per_sm / kQuarters / per_warp * kQuarters / warps;
  const uint64_t smem = smem_of_block(m, k);
  if (k.static_smem + k.dynamic_smem > uint64_t(d.smem_per_block_optin))
    o.by_shared = 0;
  else
    o.by_shared = smem ? int(std::min<uint64_t>(uint64_t(d.smem_per_sm) / smem, 1 << 20)) : 1 << 20;
  o.blocks = std::min({o.by_blocks, o.by_warps, o.by_registers, o.by_shared});
  // Ties go to the harder limit: the slots themselves last.
  o.limiter = o.blocks == o.by_shared      ? "shared"
              : o.blocks == o.by_registers ? "registers"
              : o.blocks == o.by_warps     ? "warps"
                                           : "blocks";
  if (o.blocks == o.by_warps && o.by_warps <= std::min(o.by_registers, o.by_shared)) o.limiter = "warps";
  o.warps = o.blocks * warps;
  o.share = double(o.warps) / d.warps_per_sm;
  return o;
}

int carveout_bytes(const DeviceModel& m, const KernelNeeds& k, int blocks) {
  const uint64_t need = k.static_smem + k.dynamic_smem == 0 && m.info.smem_reserved == 0
                            ? 0
                            : smem_of_block(m, k) * uint64_t(std::max(blocks, 1));
  for (int kb : m.carveouts_kb)
    if (uint64_t(kb) * 1024 >= need) return kb * 1024;
  return m.carveouts_kb.empty() ? 0 : m.carveouts_kb.back() * 1024;
}

}  // namespace dojo::simt
