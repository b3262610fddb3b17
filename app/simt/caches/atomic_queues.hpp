#pragma once
// How long a launch's atomics keep the L2 busy where many warps add to few words.
//
// Rules, each from tests/microbench/contention.cu on an H100 and an H200
// (assets/recordings/h100-microbench.txt, h200-microbench.txt):
// - A warp's atomics reach the L2 in packets: lanes on different words of one 32-byte sector share one. 32
// lanes on
//   one word make 32 packets, on two words of a sector 16, on 32 words 8 apart 32, on a whole line 4. What
//   ptxas combines before (ptx::joined_in_warp) is one packet.
// - Packets queue, 0.735 ns each (device files: atomic_ns), 0.58 ns if they fill their sector. A kilobyte has
// two
//   queues: lines 0, 1, 4, 5 wait in one, lines 2, 3, 6, 7 in the other.
// - A floating-point addition keeps its sector busy for longer, 1.757 ns (atomic_float_turns). Additions to
// other
//   sectors of the queue go on meanwhile, but wait in line behind one that can't. For words of several
//   sectors in any order, each addition takes 0.73 ns, and the rest as often as it follows one to its own
//   sector: 1.24 ns for two sectors, 0.95 for four.
//
// Time is in turns: thirds of a packet's time.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "simt/trace.hpp"

namespace dojo::simt {

/// Finds the busiest queue and the busiest sector of a launch in a small table (heavy hitters): each entry
/// counts one queue or sector; others with the same hash decrease the count, and replace the entry when it
/// reaches 0.
class AtomicQueues {
 public:
  /// `float_parts`: time of a floating-point addition in its sector, in 24ths of a packet's time.
  explicit AtomicQueues(int float_parts = 58) : float_parts_(uint64_t(float_parts)) { clear(); }
  void clear();
  /// Adds an atomic to its queue and its sectors.
  void take(const LineAccess&);
  /// Turns of the busiest of them.
  uint64_t busiest() const { return busiest_ / parts; }

 private:
  static constexpr uint64_t parts = 8;  // per turn
  struct Entry {
    uint64_t key = ~uint64_t(0), busy = 0;  // of a queue or sector; its time, in parts
    // Of a queue's floating-point additions: how many, and the sum over its sectors of their number squared.
    double floats = 0, squares = 0;
  };
  /// Adds `busy` parts to the entry of `key`. Null: another key holds the entry.
  Entry* add(std::vector<Entry>& table, uint64_t key, uint64_t busy);
  std::vector<Entry> queues_, sectors_;
  uint64_t busiest_ = 0;  // parts
  uint64_t float_parts_;
};

}  // namespace dojo::simt
