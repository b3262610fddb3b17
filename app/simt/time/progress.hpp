#pragma once
// A warp's progress: the share of its time that has passed at each step of its trace. Blocks that wait for
// each other place their waits in time by it.
#include <unordered_map>
#include <vector>

#include "simt/gpu/device_model.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// How long steps hold up a warp that runs alone, in cycles, by the latencies of their instructions.
class Holds {
 public:
  Holds(const DeviceModel& d, const ptx::Module& m) : device_(d), module_(m) {}
  double of(const TraceStep&);
  /// Of a block's longest warp.
  double of(const BlockTrace&);

 private:
  const DeviceModel& device_;
  const ptx::Module& module_;
  std::unordered_map<uint32_t, std::vector<double>> known_;  // by function, by basic block; -1: not yet
};

/// A warp's progress at each of its steps when it runs alone, 0 to 1, by the latencies of its instructions.
/// One more entry than there are steps.
std::vector<double> way(const DeviceModel&, const ptx::Module&, const WarpTrace&);
/// The progress before a step (inclusive: after it).
double share_before(const std::vector<double>& way, uint32_t step, bool inclusive);
/// The step at which a warp first executes an instruction (its first two parts), or -1.
int step_of(const ptx::Module&, const WarpTrace&, ptx::Op, ptx::Side);
/// Does a warp that waits at a step (Wake::step) for other blocks' writes empty its SM's L1 while it waits:
/// by loads that acquire, or by a fence in the loop?
bool waits_by_acquire(const ptx::Module&, const WarpTrace&, uint32_t step);
/// Does the function have a loop that reads what other blocks may write (a semaphore, a grid barrier)?
bool may_spin(const ptx::Module&, const ptx::Function&, int depth = 0);

}  // namespace dojo::simt
