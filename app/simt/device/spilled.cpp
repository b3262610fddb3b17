#include "simt/device/spilled.hpp"

#include <algorithm>
#include <bit>

#include "ptx/executed.hpp"
#include "simt/device/device_report.hpp"

namespace dojo::simt {
namespace {

/// Bytes per thread that one activation of a function spills.
double frame_bytes(const ptx::CodeShape& shape) {
  double bytes = 0;
  for (const ptx::ShapeBlock& b : shape.blocks)
    for (const ptx::ShapeOp& op : b.ops)
      if (op.spill && op.store) bytes += op.width;
  return bytes;
}

/// The most frames of a function that the lanes of a warp hold at once, summed over its lanes.
double most_frames(const ptx::Module& m, const WarpTrace& w, uint32_t function) {
  const ptx::Function& f = m.functions[function];
  double open = 0, most = 0;
  for (const TraceStep& s : w.steps) {
    if (s.function != function || s.block >= f.blocks.size()) continue;
    if (s.block == 0) most = std::max(most, open += std::popcount(s.mask));
    const ptx::Instruction& last = f.code[f.blocks[s.block].last];
    if (last.meaning.returns() && last.guard < 0) open = std::max(0.0, open - std::popcount(s.mask));
  }
  return most;
}

}  // namespace

Spilled spilled(const ptx::Module& m, const LaunchNode& node, const LaunchTrace& t, uint64_t resident) {
  Spilled all;
  const double blocks = double(std::min<uint64_t>(resident, node.spec.grid.count()));
  const auto add = [&](uint32_t function, const ptx::CodeShape& shape) {
    const double bytes = frame_bytes(shape);
    if (bytes <= 0 || function >= t.counts.size() || t.counts[function].empty()) return;
    const ptx::Function& f = m.functions[function];
    const auto visited = visits_of(t.counts[function], f.code.size());
    const double stored = 32 * double(ptx::count_executed(shape, f, visited).spill_store_sectors);
    double frames = double(node.spec.block.count());
    if (function != node.function) {
      double sum = 0;
      for (const BlockTrace& b : t.detailed)
        for (const WarpTrace& w : b.warps) sum += most_frames(m, w, function);
      frames = sum / double(std::max<size_t>(1, t.detailed.size()));
    }
    all.stored += stored;
    all.dirty += std::min(stored, blocks * frames * bytes);
  };
  if (t.shape) add(node.function, *t.shape);
  for (const auto& [function, shape] : t.called_shapes) add(function, *shape);
  return all;
}

}  // namespace dojo::simt
