#include "simt/time/memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dojo::simt {

namespace {

using ptx::Space;

// Instructions that a quarter may have waiting for the load/store unit before it stops issuing to it, in
// cycles of work. (Assumed; deep enough that bandwidth binds and not the queue.)
constexpr int64_t kUnitQueue = 64;
constexpr int64_t kMemoryQueue = 2048;  // the same for stores on their way to memory

// Bytes of loads that an SM has on their way at once: as many as its L1 has room for, and no more than this.
// (An H100's SM alone gets 32 KiB in 0.65 us and 64 in 1.13, one latency later; with 28 KiB of L1, 16 in 0.60
// and 32 in 0.96: `pulse` of tests/microbench/shares.cu.)
constexpr double kMostFlying = 48 * 1024, kLeastFlying = 16 * 1024;
// Loads that an SM has waiting for their data, of whatever width and however many lines: of 1024 that 32
// warps issue, an H100's SM takes 512 at a load a cycle, the next when the first data are there (`issue` of
// tests/microbench/taps.cu). Their places are freed in their order: loads that the L2 answers at once stop
// behind one that waits for DRAM, those that the L1 answers don't (`order`).
constexpr size_t kMostWaiting = 512;
constexpr int kCombined = 8;  // SMs whose questions for one line the L2 answers at once, at least: 132 that
                              // read the same 32 KiB take 0.1 us more than one (`crowd`, warm), one each 0.6
constexpr int kCrowd =
    16;  // blocks that ask DRAM for the same: 8 wait 670 cycles on an H100, 33 wait 560 (trips.cu)

bool acquires(Act a) { return a == Act::acquire || a == Act::acquire_release; }

/// What is left of a turn of `length`, if one is on at t; they take `share` of the time, each part of DRAM (0
/// to 1) at its own.
double rest_of_turn(double t, double part, double length, double share) {
  const double period = length / share;
  return std::max(0.0, length - std::fmod(t + part * period, period));
}

/// Where among all parts of DRAM the one with this number is, 0 to 1.
double place_of(uint32_t number) { return double((number * 0x9E3779B1u) >> 16) / 65536; }

}  // namespace

SmMemory::SmMemory(const SmInputs& in, SmResult& r) : in_(in), m_(*in.model), r_(r) {
  const double cycles_per_ns = m_.run_mhz / 1000, sms = std::max(1, in.active_sms);
  const auto share = [&](double gbps) {
    return std::min(m_.memory.l2_sm_bytes, gbps / m_.run_mhz * 1000 / sms);
  };
  l2_rate_ = share(m_.memory.l2_gbps);
  l2_store_rate_ = share(m_.memory.l2_store_gbps);
  read_rate_ = share(m_.memory.read_gbps);
  write_rate_ = share(m_.memory.write_gbps);
  addresses_ = std::max<int64_t>(1, std::llround(32 / m_.pipes.lsu));
  pass_ = std::max<int64_t>(1, std::llround(128 / m_.memory.l1_bytes));
  room_ = std::clamp(in.l1_bytes, kLeastFlying, kMostFlying);
  longest_wait_ = std::max(0.0, room_ / read_rate_ - m_.latency.dram);
  row_ = m_.memory.row_ns * cycles_per_ns;
  turn_of_writes_ = m_.memory.write_turn_ns * cycles_per_ns;
  // Of few parts of DRAM it would be chance whether one of them is refreshed: then the latency on average,
  // which was measured.
  refresh_ = in.dram_bytes <= 4 * 1024 ? 0 : m_.memory.refresh_ns * cycles_per_ns;
  turn_ = in.hot_turns / 3 * m_.memory.atomic_ns * cycles_per_ns * sms;
}

// A load of constants has a way of its own: it doesn't wait behind what the load/store unit has to do. The SM
// takes two cycles a word, a warp alone waits 11 for each further one (tests/microbench/constants.cu on an
// H100).
int64_t SmMemory::constant(int words, int64_t t) {
  words = std::max(1, words);
  const int64_t begin = std::max(t, constants_free_);
  constants_free_ = begin + 2 * words;
  return begin + m_.latency.constant + m_.latency.constant_word * (words - 1);
}

int64_t SmMemory::throttle(const ptx::ShapeOp& op, int64_t t, Stall* why) const {
  if (op.pipe == ptx::Pipe::constant) {
    if (constants_free_ - t > kUnitQueue) *why = Stall::mio_throttle;
    return std::max(t, constants_free_ - kUnitQueue);
  }
  const bool global = op.space == Space::global || op.space == Space::local;
  if (unit_free_ - t > kUnitQueue) {
    *why = global ? Stall::lg_throttle : Stall::mio_throttle;
    return unit_free_ - kUnitQueue;
  }
  if ((op.store || op.atomic) && op.space == Space::global) {
    const int64_t busy = int64_t(std::max(l2_.free(), dram_.free()));
    if (busy - t > kMemoryQueue) {
      *why = Stall::lg_throttle;
      return busy - kMemoryQueue;
    }
  }
  return t;
}

int64_t SmMemory::drained() const {
  return int64_t(std::ceil(std::max({l2_.free(), dram_.free(), line_free_})));
}

bool SmMemory::l1_lost(uint32_t half_line, int64_t t) {
  if (in_.l1_emptied_every <= 0) return false;
  const int64_t emptied = int64_t(double(t) / in_.l1_emptied_every) + 1;
  return std::exchange(met_[half_line], emptied) != emptied;
}

int64_t SmMemory::room_for(double bytes, int64_t t) {
  while (!loads_.empty() && (loads_.front().first <= t || flying_ + bytes > room_)) {
    t = std::max(t, loads_.front().first);
    flying_ -= loads_.front().second;
    loads_.pop_front();
  }
  return t;
}

// A part of DRAM writes for a while before it reads again (a line is of one part), and now and then it is
// refreshed (a kilobyte): who asks it meanwhile waits for the rest of that.
double SmMemory::until_it_reads(uint32_t half_line, double t, double now) const {
  double wait = 0;
  if (written_ > 0 && turn_of_writes_ > 0)
    wait = rest_of_turn(t, place_of(half_line / 2), turn_of_writes_,
                        std::min(0.9, written_ / std::max(now, turn_of_writes_)));
  if (refresh_ > 0 && m_.memory.refresh_share > 0)
    wait = std::max(wait, rest_of_turn(t, place_of(half_line / 16), refresh_, m_.memory.refresh_share));
  return wait;
}

// An SM's loads that wait for data have places in its L1; a hit needs none, but comes after those in the
// unit's queue.
bool SmMemory::waits_for_data(const StreamOp& s, int64_t t) const {
  if (!s.op->load || s.op->space == Space::shared || !s.active) return false;
  const OnItsWay& coming = way_[s.half_line % way_.size()];
  return s.sectors > s.l1_hits ||
         (coming.half_line == s.half_line ? coming.there > t + m_.latency.l1 : s.l2_coming);
}

int64_t SmMemory::place_for_load(int64_t t) {
  while (!waiting_.empty() && (waiting_.front() <= t || waiting_.size() >= kMostWaiting)) {
    t = std::max(t, waiting_.front());
    waiting_.pop_front();
  }
  return t;
}

int64_t SmMemory::access(const StreamOp& s, int64_t t, Stall* why, Stores* stores) {
  const ptx::ShapeOp& op = *s.op;
  const bool memory = op.load || op.store || op.atomic;
  *why = Stall::short_scoreboard;
  // The unit works in order: an access with all lanes off takes its turn too, though it moves nothing.
  const int64_t wavefronts = s.active ? s.passes * pass_ : 1;
  const int64_t passes = !memory ? 1 : std::max(addresses_, wavefronts);
  const bool waits = waits_for_data(s, std::max(t, unit_free_));
  const int64_t begin = waits ? place_for_load(std::max(t, unit_free_)) : std::max(t, unit_free_);
  unit_free_ = begin + passes;
  r_.lsu_busy += memory ? addresses_ : 1;
  if (memory && s.active) (op.space == Space::shared ? r_.shared_busy : r_.l1_busy) += wavefronts;
  if (!memory) return begin + m_.latency.shuffle;
  if (!s.active) return t + 1;
  int64_t done;
  if (op.space == Space::shared) {
    done = begin + passes - 1 + (op.load || op.atomic ? m_.latency.shared_load : m_.latency.shared_store);
  } else {
    *why = Stall::long_scoreboard;
    done = reach(s, begin, passes, stores);
    if (!op.load) return done;
  }
  // Whatever is read passes the data of the L1 and shared memory, a wavefront a cycle, when it is there.
  done = std::max(done, data_.take(done - (wavefronts - 1), int(wavefronts), begin));
  if (waits) waiting_.push_back(done);
  return done;
}

int64_t SmMemory::reach(const StreamOp& s, int64_t begin, int64_t passes, Stores* stores) {
  const ptx::ShapeOp& op = *s.op;
  const auto& lat = m_.latency;
  const bool crowd = s.askers >= kCrowd;
  const int sectors = s.sectors;
  const int in_l1 = op.store || op.atomic ? 0 : s.l1_hits;
  const int beyond = std::max(0, sectors - (l1_lost(s.half_line, begin) ? 0 : in_l1));
  int64_t done = begin + passes - 1 + lat.l1;
  // Who finds a line on its way, asked for by another block or by another warp of this SM, waits until it is
  // there.
  OnItsWay& coming = way_[s.half_line % way_.size()];
  const bool known = coming.half_line == s.half_line;
  if (beyond == 0 && op.load) {
    if (known) return std::max(done, coming.there);
    if (!s.l2_coming) return done;
    coming = {s.half_line, begin + (crowd ? lat.dram_crowd : lat.dram)};
    return coming.there;
  }
  if (beyond == 0) return done;
  // DRAM's bytes are everybody's who asks for them.
  const double missed = op.store ? 0 : std::max(0, sectors - in_l1 - s.l2_hits) * in_.fetched;
  // A store sends the L2 the bytes that it writes, of each line at least 64: 65536 lines of one word each
  // take an H100 4.2 cycles a line and SM (`scatter` in tests/counters, less `stride_1`), whole lines 8.4
  // (`write` of streams.cu, alone). What a load brings from DRAM passes the L2 twice: of a copy, the loads'
  // time and the stores' add up to what it takes (the same).
  const double bytes =
      op.store ? std::max(64.0 * s.wavefronts, std::min(32.0 * sectors, double(s.lanes) * op.width))
               : 32.0 * beyond;
  const double taken = op.atomic  ? 128.0 * s.wavefronts / l2_rate_
                       : op.store ? bytes / l2_store_rate_
                                  : (bytes + 32.0 * missed) / l2_rate_;
  const int64_t sent = sent_ = op.load ? room_for(bytes, std::max(begin, sent_)) : std::max(begin, sent_);
  const double through =
      l2_.pass(double(sent), taken / std::min<int>(s.askers, kCombined), bytes / m_.memory.l2_sm_bytes);
  r_.l2_busy += int64_t(std::llround(taken * 16));
  // A load's way to the near half of the L2, or to the far one.
  const int64_t way = op.store || op.atomic ? 0 : s.l2_far ? lat.l2 - lat.l2_near : lat.l2_near - lat.l2;
  // DRAM answers by 64 bytes; of several the slowest counts, and a crowd's is no faster than one SM's
  // (`crowd` of shares.cu: 1050 cycles a round of 64 lines by 1 SM or 132).
  const int parts = std::max<int>(s.wavefronts, (sectors + 1) / 2);
  const int64_t from_dram =
      crowd ? lat.dram_crowd + (lat.dram + lat.l2 - lat.l2_near - lat.dram_crowd) * (parts - 1) / parts
            : lat.dram + way;
  done = int64_t(std::ceil(through)) + lat.l2 + way;
  if (op.atomic && turn_ > 0) {
    if (line_free_ < double(begin)) r_.atomics_idle += double(begin) - line_free_, line_free_ = double(begin);
    line_free_ += turn_ * beyond;
    done = std::max(done, int64_t(std::ceil(line_free_)) + lat.l2);
  }
  double bytes_time = missed * 32 / (read_rate_ * s.askers);
  const double writes = (op.store || op.atomic ? double(beyond) : missed) * in_.write_share * 32;
  bytes_time += writes / write_rate_;
  if (bytes_time > 0) {
    const double served = dram_.pass(double(sent), bytes_time, 0);
    r_.dram_busy += int64_t(std::llround(bytes_time * 16));
    if (missed > 0) {
      // Requests of other SMs stand in the way as well, the more so the busier DRAM is: the wait of a random
      // arrival at a bank that takes one row cycle for each (M/D/1).
      const double rho = std::min(0.98, double(r_.dram_busy) / 16 / (served + lat.dram));
      const double queued = std::min(row_ / 2 * rho / (1 - rho), longest_wait_) +
                            until_it_reads(s.half_line, double(sent), served);
      // What a lone load waits for refreshes on average is part of the latency that was measured.
      const double refreshed = refresh_ * m_.memory.refresh_share / 2;
      done =
          std::max(done, int64_t(std::ceil(std::max(served, double(sent) + queued) - refreshed)) + from_dram);
    }
    written_ += writes / write_rate_;
  }
  if (op.load || op.atomic) {
    if (missed > 0)
      coming = {s.half_line, done};
    else if (known)
      done = std::max(done, coming.there);
    else if (s.l2_coming)
      coming = {s.half_line, done = sent + from_dram};
  }
  if ((op.load || op.atomic) && acquires(s.act)) done += lat.acquire;
  if (op.store || op.atomic) {
    stores->sent = std::max(stores->sent, begin + passes);
    stores->arrived = std::max(stores->arrived, done);
  }
  if (op.load) loads_.emplace_back(done, bytes), flying_ += bytes;
  return done;
}

}  // namespace dojo::simt
