#pragma once
// How far along its way a warp is: where blocks that wait for each other put their waits in time.
#include <vector>

#include "simt/device/device_model.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// How far along its way, alone, a warp is at each of its steps: shares of the whole, one more than there are
/// steps.
std::vector<double> way(const DeviceModel&, const ptx::Module&, const WarpTrace&);
/// The share of a way that lies before a step (inclusive: and in it).
double share_before(const std::vector<double>& way, uint32_t step, bool inclusive);
/// The step at which a warp first executes an instruction (its first two parts), or -1.
int step_of(const ptx::Module&, const WarpTrace&, const char* a, const char* b);
/// Does a warp that waits at a step (Wake::step) for what other blocks write ask in a way that empties the
/// SM's L1: by loads that acquire, or with a fence each time?
bool waits_by_acquire(const ptx::Module&, const WarpTrace&, uint32_t step);
/// Has it a loop that reads what other blocks may write: a semaphore, a grid barrier?
bool may_spin(const ptx::Module&, const ptx::Function&, int depth = 0);

}  // namespace dojo::simt
