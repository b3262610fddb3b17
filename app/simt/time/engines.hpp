#pragma once
// What runs when on a device that several streams feed, on the host's clock: kernels on the SMs, copies on
// the copy engines, one per direction. A piece of work has a time that it takes alone. It starts when it is
// issued and what it comes after has ended; a copy also waits for its engine. Kernels that the schedule of
// blocks (schedule.hpp) has placed together carry one batch number, and their times hold what they cost each
// other. Kernels of different batches share the SMs: by priority, then by age, each gets the slots that are
// left.
//
// Example: a copy of 76 us up, a kernel of 16 us and a copy of 76 us down take 168 us in one stream. As four
// chunks on two streams the copies of both directions overlap, and the kernels hide behind them.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dojo::simt {

struct Work {
  enum class Kind : uint8_t { kernel, up, down, inside };  ///< inside: fills, and copies within the device
  Kind kind = Kind::kernel;
  double issued_us = 0;  ///< on the host's clock; it starts no earlier
  double lead_us = 0;    ///< from being issued to the earliest start
  double us = 0;         ///< alone, on its engine
  double link_us = 0;    ///< of a copy's time: what its bytes take on the link
  int priority = 0;      ///< lower goes first, as CUDA counts
  uint32_t batch = 0;
  double slots = 0, busy = 0;   ///< of a kernel: share of the SMs' slots, of its busiest resource; 0..1
  std::vector<uint32_t> after;  ///< numbers that add() gave
};

struct EngineRules {
  int copy_engines = 2;    ///< 1: both directions share one
  double both_share = 1;   ///< of a direction's rate while both are busy
  double handover_us = 0;  ///< from the end of a kernel to a copy that waits for it, and back
};

class Engines {
 public:
  Engines() = default;
  explicit Engines(const EngineRules& r) : rules_(r) {}

  /// A number for the work. What it comes after must have been added.
  uint32_t add(Work);
  /// Microseconds on the host's clock at which the work ends; lets time pass until then. Work that is added
  /// later starts no earlier than that.
  double finish(uint32_t work);
  /// The same for all work so far; 0 without any.
  double finish_all();
  bool finished(uint32_t work) const { return all_[work].done; }
  /// Of work that has finished.
  double start_us(uint32_t work) const { return all_[work].start; }
  double end_us(uint32_t work) const { return all_[work].end; }
  uint32_t count() const { return uint32_t(all_.size()); }

 private:
  struct State {
    Work work;
    uint32_t open = 0;  ///< unfinished work that it comes after
    std::vector<uint32_t> next;
    double ready = 0, start = -1, end = 0;
    double fixed = 0, left = 0;  ///< what is left of it: before its bytes move, and the rest
    double rate = 0;
    bool slowed = false, done = false;
    bool is_copy() const { return work.kind == Work::Kind::up || work.kind == Work::Kind::down; }
  };
  size_t engine_of(const State& s) const {
    return rules_.copy_engines > 1 && s.work.kind == Work::Kind::down ? 1 : 0;
  }
  void wait_for(State&, const State& earlier);
  void start_ready();
  void set_rates();
  void complete(uint32_t);
  bool step();

  EngineRules rules_;
  double now_ = 0, last_end_ = 0;
  std::vector<State> all_;
  std::vector<uint32_t> ready_, running_;  ///< nothing left to come after; started
  int engine_runs_[2] = {-1, -1};
};

}  // namespace dojo::simt
