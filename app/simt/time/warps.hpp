#pragma once
// The state of one SM during its simulation: warps with their scoreboards, the four quarters (sub-partitions)
// with the warps that they issue from, and the slots of resident blocks. All times in cycles.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "simt/time/memory.hpp"
#include "simt/time/pipes.hpp"
#include "simt/time/sm.hpp"
#include "simt/time/stream.hpp"

namespace dojo::simt {

constexpr int64_t kNever = std::numeric_limits<int32_t>::max();  // cycles beyond are not simulated

/// Asynchronous copies of a warp and their groups: cycles at which they have arrived.
struct CopyGroups {
  int64_t latest = 0;         ///< of all copies
  std::vector<int64_t> ends;  ///< per committed group
  void commit() { ends.push_back(latest); }
  /// All groups but the last `n`.
  int64_t all_but(size_t n) const { return ends.size() > n ? ends[ends.size() - 1 - n] : 0; }
};

/// Bulk copies of a warp that report to mbarriers: a wait at an mbarrier is for all of its copies so far,
/// since the next phase's copies come behind the wait. Not modelled: waits for what another warp copied.
class SignalledCopies {
 public:
  void copy(uint16_t mbarrier, int64_t arrives) {
    int64_t& at = find(mbarrier);
    at = std::max(at, arrives);
  }
  /// The cycle at which the mbarrier's copies have arrived; 0: it has none that no wait was for.
  int64_t wait(uint16_t mbarrier) { return std::exchange(find(mbarrier), 0); }

 private:
  int64_t& find(uint16_t mbarrier) {
    for (auto& [known, arrives] : arrives_)
      if (known == mbarrier) return arrives;
    return arrives_.emplace_back(mbarrier, 0).second;
  }
  std::vector<std::pair<uint16_t, int64_t>> arrives_;  ///< by mbarrier: a warp uses few
};

struct TimedWarp {
  OpStream stream;
  StreamOp op;
  int block = -1;         // index into the order of blocks
  int place = 0;          // in its block
  int64_t issued_at = 0;  // cycle of the last issue
  int64_t ready = 0;      // cycle at which dependences let the operation issue
  int64_t throttled = 0;  // cycle at which its pipe accepts the operation
  Stall why = Stall::no_instruction, throttle = Stall::math_pipe_throttle;
  std::array<int64_t, 6> board{};  // scoreboards: cycle at which each is free
  std::array<Stall, 6> board_why{};
  SmMemory::Stores stores;
  std::vector<int64_t> done;  // estimated shapes: when each operation of the block has its result
  std::vector<Stall> done_why;
  /// Estimated shapes: loads and atomics of one function that may be on their way, of each the latest.
  struct Load {
    int32_t ptx;
    int64_t until;  ///< cycle
  };
  std::vector<Load> loads;
  uint32_t loads_function = 0;
  CopyGroups copies;
  SignalledCopies signalled;
  bool waiting = false;  // at a barrier
};

struct Quarter {
  static constexpr int room = 64;  // warps it may hold, when blocks are uneven
  int count = 0;
  std::array<int, room> warps{};                // indices, oldest first
  alignas(32) std::array<int32_t, room> ready;  // when each may issue next, as far as known
  PipesFree pipe_free{};
  int64_t now = 0;                     // its next cycle
  int64_t first = kNever;              // the earliest of `ready`
  std::array<int64_t, 2> bank_free{};  // register banks: cycle at which each has done its reads
  int64_t held_from = 0;               // from here to `now` the dispatcher waits for the banks
  int last = -1;                       // position of the warp that issued last

  Quarter() { ready.fill(kNever); }
  void add(int warp, int64_t at) {
    warps[size_t(count)] = warp;
    ready[size_t(count++)] = int32_t(at);
    first = std::min(first, at);
  }
  void remove(int position) {
    std::copy(warps.begin() + position + 1, warps.begin() + count, warps.begin() + position);
    std::copy(ready.begin() + position + 1, ready.begin() + count, ready.begin() + position);
    ready[size_t(--count)] = int32_t(kNever);
  }
  void find_first() {
    int32_t least = int32_t(kNever);
    const int n = (count + 7) / 8 * 8;
    for (int i = 0; i < n; ++i) least = std::min(least, ready[size_t(i)]);
    first = least;
  }
};

struct Slot {
  int live = 0, waiting = 0;  // warps
  int block = -1;
};

}  // namespace dojo::simt
