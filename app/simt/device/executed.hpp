#pragma once
// What the SIMT machine can and no other device: it counts every PTX instruction, and it runs without caches.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dojo {
class Device;
class LaunchSampler;
}  // namespace dojo

namespace dojo::simt {

/// How often a warp executed each PTX instruction, by mangled function.
using ExecutedInstructions = std::map<std::string, std::vector<uint64_t>>;

/// Of the launches since load() that ran with RunControl::lines; null where the device can't count them.
const ExecutedInstructions* executed_instructions(const Device&);

/// Off: launches run without L1 and L2, which is quicker; their counters of caches and DRAM are then 0. Times
/// need them. On at start; a device that has no choice ignores it.
void count_caches(Device&, bool on);
/// Which launches run in detail. The others run for their results only: without checks (but of bounds),
/// counters of accesses, caches and time model. Their reports are those of results_only(), and take the time
/// that the sampler says. Launches of both kinds don't run together. Null, which is the case at start: all
/// run in detail.
void sample_launches(Device&, LaunchSampler*);
/// How many blocks of a launch run in detail, where it has more; the others run for their results, with what
/// else they do estimated from those (BlockSample). Launches whose blocks may wait for each other, or order
/// each other by fences, and clusters run in detail as a whole. 0, which is the case at start: all.
void sample_blocks(Device&, uint64_t n);
/// A launch whose checks find something nearly everywhere still runs to its end, as it does on a GPU, however
/// long that takes.
void run_to_the_end(Device&);

}  // namespace dojo::simt
