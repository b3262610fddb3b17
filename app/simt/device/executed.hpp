#pragma once
// What the SIMT machine can and no other device: it counts every PTX instruction, and it runs without caches.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dojo {
class Device;
class LaunchSampler;
namespace ptx {
struct Function;
}
}  // namespace dojo

namespace dojo::simt {

class HostBeside;

/// How often a warp executed each PTX instruction, by mangled function.
using ExecutedInstructions = std::map<std::string, std::vector<uint64_t>>;

/// Of the launches since load() that ran with RunControl::lines; null where the device can't count them.
const ExecutedInstructions* executed_instructions(const Device&);

/// Off: launches run without L1 and L2, which is quicker; their counters of caches and DRAM are then 0. Times
/// need them. On at start; a device that has no choice ignores it.
void count_caches(Device&, bool on);
/// Which launches run in detail. The others run for their results only: without checks (but of bounds),
/// counters of accesses, caches and time model. Of these, launches that repeat an earlier one on unchanged
/// memory do not run. Their reports are those of results_only(), and take the time
/// that the sampler says. Launches of both kinds don't run together. Null, which is the case at start: all
/// run in detail.
void sample_launches(Device&, LaunchSampler*);
/// Launches so far that would have changed nothing and did not run (RepeatedLaunches).
uint64_t repeated_launches(const Device&);
/// How many blocks of a launch run in detail, where it has more; the others run for their results, with what
/// else they do estimated from those (BlockSample). Launches whose blocks may wait for each other, or order
/// each other by fences, and clusters run in detail as a whole. 0, which is the case at start: all.
void sample_blocks(Device&, uint64_t n);
/// Host code runs while kernels do. Calls of the device then come from several threads, one after the other,
/// also while HostBeside::kernel_waits() lets the host run. Before the first launch.
void run_beside(Device&, HostBeside*);
/// Launches that have not run: none, some, or some that were given memory that host code reads directly.
enum class PendingWork : uint8_t { none, some, host_sees };
PendingWork pending_work(const Device&);
/// Runs what is queued, and lets no modelled time pass for the host. Throws RunStopped.
void run_queued(Device&);
/// Has a kernel of the current module loops that wait for memory to change?
bool may_wait(Device&, const ptx::Function& kernel);
/// Do kernels run, on another thread?
bool kernels_run(const Device&);
/// Do kernels run, on another thread, that the stream's next work or the event waits for?
bool stream_runs(Device&, uint64_t stream);
bool event_runs(Device&, uint64_t event);
/// A launch whose checks find something nearly everywhere still runs to its end, as it does on a GPU, however
/// long that takes.
void run_to_the_end(Device&);

}  // namespace dojo::simt
