#pragma once
// Two queues for resources with a fixed rate: SharedQueue for what all SMs share (L2, DRAM), Calendar for a
// unit of one SM whose work is asked for long before it starts (the data banks of the L1).
#include <algorithm>
#include <cstdint>
#include <vector>

namespace dojo::simt {

/// One SM's view of a resource that all SMs share.
///
/// While all SMs ask at once, each gets its fair share of the rate. An SM that has used only a part of its
/// share so far is served faster, since the others leave the resource idle in between: with `use` = the used
/// part of its share since its first request (0 to 1), a request takes
///   max(port, share * max(min(use, busiest), 1 - burst * (1 - use))) cycles.
/// Example with busiest = 0.84, burst = 8: an SM that asks all the time (use = 1) is served at its fair rate;
/// at use = 0.9 it waits 0.84 of its fair share. Evidence: blocks that read 16 KiB and then pause pass an
/// H100 10 % faster than fair shares would (`burst` of tests/microbench/streams.cu); an SM that keeps DRAM
/// busy for 86 or 96 % of the time waits 0.85 or 0.84 of its fair share (`pulse` of
/// tests/microbench/shares.cu).
class SharedQueue {
 public:
  explicit SharedQueue(double busiest = 0.84, double burst = 8) : busiest_(busiest), burst_(burst) {}
  /// A request at cycle t that keeps the resource busy for `share` cycles at the fair rate, and the SM's own
  /// port for `port` cycles. Returns the cycle at which it is served.
  double pass(double t, double share, double port) {
    if (used_ == 0) first_ = t;
    const double from = std::max(t, free_);
    const double use = from > first_ ? std::min(1.0, used_ / (from - first_)) : 1.0;
    used_ += share;
    return free_ = from + std::max(port, share * std::max(std::min(use, busiest_), 1 - burst_ * (1 - use)));
  }
  /// The cycle at which all requests so far are served.
  double free() const { return free_; }

 private:
  double busiest_, burst_;
  double free_ = 0, first_ = 0, used_ = 0;  // cycles
};

/// A unit that does one cycle of work per cycle. Requests reserve free cycles from their arrival on, in slots
/// of 16 cycles. Reservations 2^16 cycles or more after `now` are not kept.
class Calendar {
 public:
  /// Reserves `cycles` cycles from `from` on; no later request starts before `now`. Returns the cycle in
  /// which the last of them begins.
  int64_t take(int64_t from, int cycles, int64_t now) {
    now >>= kShift;
    if (now - now_ >= int64_t(used_.size())) std::fill(used_.begin(), used_.end(), uint8_t(0)), now_ = now;
    for (; now_ < now; ++now_) used_[size_t(now_) % used_.size()] = 0;
    int64_t slot = std::max(from >> kShift, now_);
    const int64_t last = now_ + int64_t(used_.size()) - 1;
    int64_t at = from;
    for (; cycles > 0 && slot < last; ++slot) {
      uint8_t& used = used_[size_t(slot) % used_.size()];
      const int reserved = std::min(cycles, (1 << kShift) - used);
      if (reserved == 0) continue;
      used = uint8_t(used + reserved), cycles -= reserved;
      at = std::max(from, (slot << kShift) + used - 1);
    }
    return at;
  }

 private:
  static constexpr int kShift = 4;                          // slots of 16 cycles
  std::vector<uint8_t> used_ = std::vector<uint8_t>(4096);  // reserved cycles by slot
  int64_t now_ = 0;                                         // in slots
};

}  // namespace dojo::simt
