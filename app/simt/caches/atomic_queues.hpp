#pragma once
// How a GPU's L2 takes atomics: what holds them up when many warps add to few words. From
// tests/microbench/contention.cu on an H100 and an H200 (assets/recordings/h100-microbench.txt,
// h200-microbench.txt):
//
// - A warp's atomics reach the L2 in packets: lanes on different words of one 32-byte sector. 32 lanes on one
// word are 32
//   packets, on two words of a sector 16, on 32 words 8 apart 32, on a whole line 4.
// - Packets queue: 0.735 ns each (device files: atomic_ns), 0.58 when a packet fills its sector. There is one
// queue for every
//   other 256 bytes of a kilobyte: words 256 bytes apart wait in two queues, words a kilobyte apart in queues
//   of their own.
// - An addition of floating point keeps its sector 1.757 ns, whichever warp it comes from; one for another
// sector of the same queue
//   goes on meanwhile, but waits in line behind one that can't: where words of several sectors come in any
//   order, each addition takes 0.73 ns and, as often as it comes behind one for its own sector, the rest.
//   (1.24 ns for two sectors, 0.95 for four.)
// - What ptxas joins before (ptx::joined_in_warp) is one packet.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "simt/trace.hpp"

namespace dojo::simt {

/// Thirds of a packet's time for `partial` packets and `full` ones.
inline uint8_t packet_turns(int partial, int full) {
  return uint8_t(std::min(255, 3 * partial + (12 * full + 2) / 5));
}

/// The busiest queue and sector of a launch, found in little room: a newcomer takes a slot over when the old
/// one's count has run out.
class AtomicQueues {
 public:
  AtomicQueues() { clear(); }
  void clear();
  void take(const LineAccess&);
  /// Thirds of a packet's time for which the busiest of them was held.
  uint64_t busiest() const { return busiest_ / parts; }

 private:
  static constexpr uint64_t parts = 8;  // of a third
  struct Held {
    uint64_t what = ~uint64_t(0), turns = 0;  // in parts
    double floats = 0,
           squares = 0;  // of a queue: additions of floating point, and their number by sector squared
  };
  /// What holds a slot of `all`, if it is `what` by now.
  Held* hold(std::vector<Held>& all, uint64_t what, uint64_t turns);
  std::vector<Held> queues_, sectors_;
  uint64_t busiest_ = 0;
};

}  // namespace dojo::simt
