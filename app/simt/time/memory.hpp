#pragma once
// The way of memory accesses out of one SM: the load/store unit, the L1, the SM's share of L2 and DRAM as
// queues.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "simt/device/device_model.hpp"
#include "simt/time/sm.hpp"
#include "simt/time/stream.hpp"

namespace dojo::simt {

/// What one SM gets of a resource of the whole GPU, as a queue. While all SMs ask at once, an SM gets its
/// fair share of the rate; what they leave idle in between serves the others, who come at other times: an SM
/// that has used half of its share so far is served twice as fast, as far as its own port goes. (Blocks that
/// read 16 KiB and then pause pass an H100 of 132 SMs 10 % faster than fair shares would; `burst` of
/// tests/microbench/streams.cu. An SM that keeps DRAM busy for 86 or 96 % of the time waits 0.85 or 0.84 of
/// what its fair share would take: `pulse` of shares.cu. Nobody gets more than the whole for long.)
class SharedQueue {
 public:
  /// Takes a request at t that keeps the resource busy for `share` cycles at the fair rate, and the SM's port
  /// for `port`: when it is through.
  double pass(double t, double share, double port) {
    if (used_ == 0) first_ = t;
    const double from = std::max(t, free_);
    const double use = from > first_ ? std::min(1.0, used_ / (from - first_)) : 1.0;
    used_ += share;
    return free_ = from + std::max(port, share * std::max(std::min(use, 0.84), 1 - 8 * (1 - use)));
  }
  double free() const { return free_; }

 private:
  double free_ = 0, first_ = 0, used_ = 0;  // cycles
};

/// A unit that does a cycle of work every cycle, and is asked long before by those who will need it later:
/// each takes what is left from its arrival on, to 16 cycles. What comes 2^16 cycles after `now` or later is
/// not kept in mind.
class Calendar {
 public:
  /// Takes `cycles` of work from `from` on, where nothing before `now` is asked for any more: when the last
  /// of them begins.
  int64_t take(int64_t from, int cycles, int64_t now) {
    now >>= kShift;
    if (now - now_ >= int64_t(used_.size())) std::fill(used_.begin(), used_.end(), uint8_t(0)), now_ = now;
    for (; now_ < now; ++now_) used_[size_t(now_) % used_.size()] = 0;
    int64_t slot = std::max(from >> kShift, now_);
    const int64_t last = now_ + int64_t(used_.size()) - 1;
    int64_t at = from;
    for (; cycles > 0 && slot < last; ++slot) {
      uint8_t& used = used_[size_t(slot) % used_.size()];
      const int took = std::min(cycles, (1 << kShift) - used);
      if (took == 0) continue;
      used = uint8_t(used + took), cycles -= took;
      at = std::max(from, (slot << kShift) + used - 1);
    }
    return at;
  }

 private:
  static constexpr int kShift = 4;  // slots of 16 cycles
  std::vector<uint8_t> used_ = std::vector<uint8_t>(4096);
  int64_t now_ = 0;
};

class SmMemory {
 public:
  /// Adds what each resource was busy to the result; both must outlive it.
  SmMemory(const SmInputs&, SmResult&);
  /// The earliest cycle from t on at which the unit takes the operation; and what keeps it, if it is later.
  int64_t throttle(const ptx::ShapeOp&, int64_t t, Stall* why) const;
  /// Where a warp's stores and atomics are, in cycles.
  struct Stores {
    int64_t sent = 0;     ///< the last has left the load/store unit
    int64_t arrived = 0;  ///< all have come to the L2
  };
  /// Sends an access (or shuffle) on its way at t: the cycle at which its result is there, and what waits for
  /// that. What a store or an atomic brings adds to `stores`.
  int64_t access(const StreamOp&, int64_t t, Stall* why, Stores* stores);
  /// The same of a load of constants whose lanes name so many words.
  int64_t constant(int words, int64_t t);
  /// When the unit that takes the operation is through with those before it.
  int64_t unit_free(ptx::Pipe pipe) const {
    return pipe == ptx::Pipe::constant ? constants_free_ : unit_free_;
  }
  /// How long what is sent at t waits behind other requests of the SM, and behind its atomics where those of
  /// all SMs meet.
  int64_t behind(int64_t t) const {
    return std::max({t, sent_, int64_t(std::max(l2_.free(), line_free_))}) - t;
  }
  int64_t drained() const;  ///< when what was sent so far is through L2 and DRAM

 private:
  /// The cycle from t on at which there is room for so many bytes more on their way.
  int64_t room_for(double bytes, int64_t t);
  /// The cycle from t on at which fewer loads wait for their data than the L1 can keep.
  int64_t place_for_load(int64_t t);
  bool waits_for_data(const StreamOp&, int64_t t) const;
  /// When a global access that begins at `begin` has what it asks for.
  int64_t reach(const StreamOp&, int64_t begin, int64_t passes, Stores* stores);
  /// What a load that comes to DRAM at t waits there because the part that it asks writes or is refreshed.
  double until_it_reads(uint32_t half_line, double t, double now) const;
  /// Has the line left the L1 since an access met it last?
  bool l1_lost(uint32_t half_line, int64_t t);

  const SmInputs& in_;
  const DeviceModel& m_;
  SmResult& r_;
  double l2_rate_, l2_store_rate_, read_rate_, write_rate_, row_;  // bytes a cycle; cycles
  double turn_;  // of an atomic at the busiest line, while the other SMs take theirs
  double turn_of_writes_,
      written_ = 0;  // cycles: of a part of DRAM, and for which the SM's share of it has written
  double refresh_;   // cycles for which a part of DRAM is refreshed
  int64_t unit_free_ = 0, constants_free_ = 0;
  int64_t addresses_, pass_;  // cycles of the unit: for a warp's addresses, and for a wavefront
  double room_;               // bytes of loads that an SM has on their way at once
  double longest_wait_;       // cycles at DRAM, when all of them are queued there
  double flying_ = 0;
  int64_t sent_ = 0;                              // the last request that left the SM: they leave it in order
  std::deque<std::pair<int64_t, double>> loads_;  // on their way: when they are there, bytes
  std::deque<int64_t> waiting_;  // loads that wait for data, in their order: when they have it
  Calendar data_;                // the L1's data and shared memory: one wavefront a cycle
  SharedQueue l2_, dram_;
  double line_free_ = 0;
  struct OnItsWay {
    uint32_t half_line = ~0u;
    int64_t there = 0;
  };
  std::vector<OnItsWay> way_ =
      std::vector<OnItsWay>(4096);  // 64 bytes that DRAM was asked for last, by their lowest bits
  std::unordered_map<uint32_t, int64_t>
      met_;  // halves of lines, and when the L1 had been emptied last then; with l1_emptied_every
};

}  // namespace dojo::simt
