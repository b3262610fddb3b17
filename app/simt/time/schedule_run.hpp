#pragma once
// One run of the schedule (schedule.hpp): events in time order. schedule.cpp hands blocks out to SMs;
// residents.cpp moves those that are on one.
#include <queue>

#include "simt/time/schedule.hpp"

namespace dojo::simt {

class Schedule {
 public:
  Schedule(const ScheduleRules&, std::span<const ScheduledLaunch>);
  std::vector<ScheduledTimes> run();

 private:
  struct Resident {
    uint32_t launch = 0, next_wait = 0;
    uint64_t block = 0;
    double done_at = 0;   // SM-virtual time of its next stop
    double progress = 0;  // work done up to the last stop, in microseconds alone
    double virtual_from = 0;
    double waiting_since = -1;
    bool triggered = false;
  };

  struct SmState {
    double now = 0, virtual_now = 0, load = 0;  // load: of what is the SM's own
    double occupied = 0;                        // slots taken, 1 = full
    int blocks = 0;
    double pace = 1;   // virtual time passes so much slower than time
    int emptying = 0;  // blocks that wait and empty the L1
    uint32_t version = 0;
    std::vector<Resident> residents;
  };

  struct Event {
    double time;
    uint64_t order;
    enum Kind : uint8_t { ready, begin, stop, free_slot } kind;
    uint32_t a = 0, b = 0;  // ready: launch; begin: SM, index into begins; stop: SM, version; free_slot: SM
    bool operator<(const Event& o) const { return time != o.time ? time > o.time : order > o.order; }
  };

  struct Begin {
    uint32_t launch;
    uint64_t block;
    uint32_t sm;
  };
  void push(double t, Event::Kind k, uint32_t a, uint32_t b = 0) { events_.push({t, order_++, k, a, b}); }
  const BlockKind& kind(uint32_t launch, uint64_t block) const {
    const ScheduledLaunch& l = launches_[launch];
    return l.kinds[l.kind.empty() ? 0 : l.kind[block]];
  }
  void move_to(SmState&, double t);
  void add_load(SmState&, const BlockKind&, double times);
  void plan_all(double t);
  void plan(uint32_t sm);
  void check_ready(double t);
  void dispatch(double t, int only = -1);
  void give(uint32_t launch, uint32_t sm, double t);
  void begin(const Begin&, double t);
  void stops(uint32_t sm, double t);
  bool passed(const WaitPoint&) const;
  double next_stop(const Resident&) const;
  void finish_block(uint32_t sm, Resident, double t);
  void complete(uint32_t launch, double t);

  const ScheduleRules& rules_;
  std::span<const ScheduledLaunch> launches_;
  std::vector<SmState> sms_;
  std::vector<ScheduledTimes> out_;
  std::vector<uint64_t> next_, left_, untriggered_;
  std::vector<bool> open_, started_, finished_;
  std::vector<std::vector<double>>
      progress_;  // with waits: the share of each block's work that is surely done
  std::vector<std::vector<std::vector<double>>> posts_;  // points of each block that others wait for
  bool coupled_ = false;
  double shared_load_ = 0, planned_load_ = 0;  // of all blocks; when all SMs were planned last
  double busy_sms_ = 1;                        // that share it, when there are blocks for all
  double full_for_ = 0;  // no SM has room for a block of this size or more; 0: not known
  std::priority_queue<Event> events_;
  std::vector<Begin> begins_;
  uint64_t order_ = 0;
  double next_dispatch_ = 0;
  uint32_t turn_ = 0;
};

}  // namespace dojo::simt
