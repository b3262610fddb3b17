#include "simt/time/memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dojo::simt {

namespace {

using ptx::Space;

/// Sectors that a store fills in part. Two ends of a row don't count: the L1 joins them with what the next
/// warps store.
double parts_of_sectors(const StreamOp& s) {
  const double missing = s.sectors - double(s.lanes) * s.op->width / 32;
  return missing > 1 ? missing : 0;
}

/// What such ends have of sectors that are sent with another warp's store.
double joined_sectors(const StreamOp& s) {
  const double missing = s.sectors - double(s.lanes) * s.op->width / 32;
  return missing > 1 ? 0 : std::max(0.0, missing);
}

bool acquires(Act a) { return a == Act::acquire || a == Act::acquire_release; }

/// Periodic busy times: each part of DRAM (`part`, 0 to 1) is busy for `length` cycles, which is `share` of
/// the time, at its own phase. Returns the cycles left of a busy time at cycle t; 0 if there is none.
/// Example: length 100, share 0.2 (period 500), part 0: at t = 30, 70 cycles are left; at t = 150, none.
double rest_of_busy_time(double t, double part, double length, double share) {
  const double period = length / share;
  return std::max(0.0, length - std::fmod(t + part * period, period));
}

/// The phase of the DRAM part with this number, 0 to 1: parts are spread by a hash.
double phase_of(uint32_t number) { return double((number * 0x9E3779B1u) >> 16) / 65536; }

}  // namespace

SmMemory::SmMemory(const SmInputs& in, SmResult& r)
    : in_(in),
      m_(*in.model),
      r_(r),
      l2_(m_.memory.share_busiest, m_.memory.share_burst),
      dram_(m_.memory.share_busiest, m_.memory.share_burst) {
  const double cycles_per_ns = m_.run_mhz / 1000, sms = std::max(1, in.active_sms);
  const auto share = [&](double gbps) {
    return std::min(m_.memory.l2_sm_bytes, gbps / m_.run_mhz * 1000 / sms);
  };
  l2_rate_ = share(m_.memory.l2_gbps);
  l2_atomic_rate_ = m_.memory.l2_gbps / m_.run_mhz * 1000 / sms;
  l2_store_rate_ = share(m_.memory.l2_store_gbps);
  read_rate_ = share(m_.memory.read_gbps);
  write_rate_ = share(m_.memory.write_gbps);
  address_cycles_ = std::max<int64_t>(1, std::llround(32 / m_.pipes.lsu));
  wavefront_cycles_ = std::max<int64_t>(1, std::llround(128 / m_.memory.l1_bytes));
  inflight_capacity_ =
      std::clamp(in.l1_bytes, m_.memory.inflight_least_kb * 1024.0, m_.memory.inflight_most_kb * 1024.0);
  longest_queue_cycles_ = std::max(0.0, inflight_capacity_ / read_rate_ - m_.latency.dram);
  row_cycles_ = m_.memory.row_ns * cycles_per_ns;
  write_burst_cycles_ = m_.memory.write_turn_ns * cycles_per_ns;
  // An SM that reads at most 4 KiB meets few parts of DRAM: whether one of them is refreshed would be chance.
  // The measured latency is an average over refreshes and is used as it is.
  refresh_cycles_ = in.dram_bytes <= 4 * 1024 ? 0 : m_.memory.refresh_ns * cycles_per_ns;
  atomic_cycles_ = in.hot_turns / 3 * m_.memory.atomic_ns * cycles_per_ns * sms;
}

// ---- Load/store unit --------------------------------------------------------------------------------------

// Constants don't wait behind the load/store unit (tests/microbench/constants.cu on an H100).
int64_t SmMemory::constant(int words, int64_t t) {
  words = std::max(1, words);
  const int64_t begin = std::max(t, constants_free_);
  constants_free_ = begin + m_.pipes.constant_cycles * words;
  return begin + m_.latency.constant + m_.latency.constant_word * (words - 1);
}

int64_t SmMemory::throttle(const ptx::ShapeOp& op, int64_t t, Stall* why) const {
  const int64_t queue = m_.pipes.lsu_queue_cycles, store_queue = m_.memory.store_queue_cycles;
  if (op.pipe == ptx::Pipe::constant) {
    if (constants_free_ - t > queue) *why = Stall::mio_throttle;
    return std::max(t, constants_free_ - queue);
  }
  if (op.pipe == ptx::Pipe::tex) {
    if (tex_free_ - t > queue) *why = Stall::tex_throttle;
    return std::max(t, tex_free_ - queue);
  }
  const bool global = op.space == Space::global || op.space == Space::local;
  if (unit_free_ - t > queue) {
    *why = global ? Stall::lg_throttle : Stall::mio_throttle;
    return unit_free_ - queue;
  }
  if ((op.store || op.atomic) && op.space == Space::global) {
    const int64_t busy = int64_t(std::max(l2_.free(), dram_.free()));
    if (busy - t > store_queue) {
      *why = Stall::lg_throttle;
      return busy - store_queue;
    }
  }
  return t;
}

int64_t SmMemory::drained() const {
  return int64_t(std::ceil(std::max({l2_.free(), dram_.free(), atomic_queue_free_})));
}

// A hit needs no MSHR, unless the line that it hits is still in flight.
bool SmMemory::needs_mshr(const StreamOp& s, int64_t t) const {
  if (!s.op->load || s.op->bulk || s.op->space == Space::shared || s.remote || !s.active) return false;
  const LineInFlight& line = line_in_flight(s.half_line);
  return s.sectors > s.l1_hits ||
         (line.half_line == s.half_line ? line.arrives > t + m_.latency.l1 : s.l2_coming);
}

int64_t SmMemory::wait_for_mshr(int64_t t) {
  while (!mshrs_.empty() && (mshrs_.front() <= t || mshrs_.size() >= size_t(m_.memory.mshrs))) {
    t = std::max(t, mshrs_.front());
    mshrs_.pop_front();
  }
  return t;
}

int64_t SmMemory::texture_access(const StreamOp& s, int64_t t, Stall* why, Stores* stores) {
  *why = Stall::long_scoreboard;
  const int64_t cycles =
      s.active ? std::max<int64_t>(1, std::llround(std::ceil(s.lsu_wavefronts / m_.pipes.tex))) : 1;
  const int64_t free = std::max(t, tex_free_);
  const bool misses = needs_mshr(s, free);
  const int64_t begin = misses ? wait_for_mshr(free) : free;
  tex_free_ = begin + cycles;
  r_.tex_busy += cycles;
  if (!s.active) return t + 1;
  const int64_t lines = std::max<int64_t>(1, s.wavefronts) * wavefront_cycles_;
  r_.l1_busy += lines;
  int64_t done = global_access(s, begin, cycles, stores);
  if (!s.op->load) return done;
  done += m_.latency.tex;
  done = std::max(done, data_.take(done - (lines - 1), int(lines), begin));
  if (misses) mshrs_.push_back(done);
  return done;
}

int64_t SmMemory::access(const StreamOp& s, int64_t t, Stall* why, Stores* stores) {
  const ptx::ShapeOp& op = *s.op;
  if (op.pipe == ptx::Pipe::tex) return texture_access(s, t, why, stores);
  const bool memory = op.load || op.store || op.atomic;
  *why = Stall::short_scoreboard;
  // The unit works in order. An access with all lanes off takes its cycles too, though it moves nothing.
  const int64_t wavefronts = s.active ? s.lsu_wavefronts * wavefront_cycles_ : 1;
  const int64_t unit_cycles = !memory ? 1 : std::max(address_cycles_, wavefronts);
  const bool misses = needs_mshr(s, std::max(t, unit_free_));
  const int64_t begin = misses ? wait_for_mshr(std::max(t, unit_free_)) : std::max(t, unit_free_);
  unit_free_ = begin + unit_cycles;
  r_.lsu_busy += memory ? address_cycles_ : 1;
  if (memory && s.active) (op.space == Space::shared ? r_.shared_busy : r_.l1_busy) += wavefronts;
  if (!memory) return begin + m_.latency.shuffle;
  if (!s.active) return t + 1;
  int64_t done;
  if (s.remote) {
    done = remote_access(s, begin, stores);
  } else if (op.space == Space::shared) {
    done =
        begin + unit_cycles - 1 + (op.load || op.atomic ? m_.latency.shared_load : m_.latency.shared_store);
  } else {
    *why = Stall::long_scoreboard;
    done = global_access(s, begin, unit_cycles, stores);
    if (!op.load || op.bulk) return done;
  }
  // What is read passes the data banks of L1 and shared memory when it arrives, one wavefront per cycle.
  done = std::max(done, data_.take(done - (wavefronts - 1), int(wavefronts), begin));
  if (misses) mshrs_.push_back(done);
  return done;
}

int64_t SmMemory::remote_access(const StreamOp& s, int64_t begin, Stores* stores) {
  const auto& c = m_.cluster;
  const double share = s.op->atomic ? c.atomic_share : s.op->store ? c.store_share : 1;
  const double cycles = share * std::max(c.sector_cycles * s.sectors, c.wavefront_cycles * s.wavefronts);
  cluster_port_free_ = std::max(cluster_port_free_, double(begin)) + cycles;
  const int64_t sent = int64_t(std::ceil(cluster_port_free_));
  if (s.op->load) return sent + int64_t(c.load);
  stores->sent = std::max(stores->sent, begin + 1);
  stores->arrived = std::max(stores->arrived, sent);
  return sent;
}

int64_t SmMemory::global_access(const StreamOp& s, int64_t begin, int64_t unit_cycles, Stores* stores) {
  const MemoryRequest q = classify(s, begin, stores);
  if (q.load) stores->parts = {};
  const int64_t l1_done = begin + unit_cycles - 1 + m_.latency.l1;
  if (q.level == Level::l1) return q.load ? answer_from_l1(q, begin, l1_done) : l1_done;
  int64_t done = pass_l2(q, begin);
  done = pass_atomic_queue(q, begin, done);
  done = pass_dram(q, done);
  done = join_lines_in_flight(q, done);
  if ((q.load || q.atomic) && acquires(s.act)) done += m_.latency.acquire;
  if (q.store || q.atomic) {
    stores->sent = std::max(stores->sent, begin + unit_cycles);
    stores->arrived = std::max(stores->arrived, done);
  }
  if (q.load) inflight_loads_.emplace_back(done, q.bytes), inflight_bytes_ += q.bytes;
  return done;
}

// ---- Classification ---------------------------------------------------------------------------------------

MemoryRequest SmMemory::classify(const StreamOp& s, int64_t begin, Stores* stores) {
  MemoryRequest q;
  q.stream = &s;
  q.load = s.op->load, q.store = s.op->store, q.atomic = s.op->atomic;
  q.sectors = s.sectors;
  q.crowd = s.askers >= m_.memory.dram_crowd_blocks;
  const int l1_hits = MemoryRequest::l1_hits(s);
  q.l2_sectors = std::max(0, q.sectors - (l1_lost(s.half_line, begin) ? 0 : l1_hits));
  if (q.l2_sectors == 0) return q;
  q.dram_sectors = q.store ? 0 : std::max(0, q.sectors - l1_hits - s.l2_hits) * in_.fetched;
  q.level = q.dram_sectors > 0 ? Level::dram : Level::l2;
  q.bytes = q.store && !s.op->bulk ? stored_bytes(s, *stores) : 32.0 * q.l2_sectors;
  q.dram_writes = (q.store || q.atomic ? double(q.l2_sectors) : q.dram_sectors) * in_.write_share * 32;
  q.parts = std::max<int>(s.wavefronts, (q.sectors + 1) / 2);
  return q;
}

/// A store sends the L2 whole sectors, and at least 64 bytes per line: 65536 lines of one word each take an
/// H100 4.2 cycles per line and SM (`scatter` in tests/counters, less `stride_1`), whole lines 8.4 (`write`
/// of tests/microbench/streams.cu, alone). Sectors that are stored in part take it longer than whole ones.
double SmMemory::stored_bytes(const StreamOp& s, Stores& last) const {
  if (joins_stored_parts(s, last)) return 0;
  const double bytes =
      parts_of_sectors(s) > 0 ? m_.memory.l2_store_part * s.sectors : 32 * (s.sectors - joined_sectors(s));
  return std::max(m_.memory.l2_store_least * s.wavefronts, bytes);
}

/// Is it a store of parts of sectors to which the warp's last stores went, with no load between them? Else it
/// is noted as one. Nsight Compute, sectors looked up in the L2 over sectors stored: three stores of a float3
/// 0.34 (`sf_normalise` of tests/zoo), eight stores in sequence 0.32 (occupancy/3-registers; here 0.13). With
/// a load before each, eight stores take an H100 2.5 to 2.9 cycles per sector and SM, as stores to other
/// sectors do (the starters of coalescing/2 and profiles/1, h100-starters.txt).
bool SmMemory::joins_stored_parts(const StreamOp& s, Stores& last) {
  // Lone sectors of lines may be others of the same 64 bytes.
  if (parts_of_sectors(s) == 0 || s.sectors < 2 * s.wavefronts) return false;
  if (std::find(last.parts.begin(), last.parts.end(), s.half_line + 1) != last.parts.end()) return true;
  std::rotate(last.parts.begin(), last.parts.begin() + 1, last.parts.end());
  last.parts.back() = s.half_line + 1;
  return false;
}

bool SmMemory::l1_lost(uint32_t half_line, int64_t t) {
  if (in_.l1_emptied_every <= 0) return false;
  const int64_t generation = int64_t(double(t) / in_.l1_emptied_every) + 1;
  return std::exchange(l1_generation_[half_line], generation) != generation;
}

// ---- Stages -----------------------------------------------------------------------------------------------

int64_t SmMemory::answer_from_l1(const MemoryRequest& q, int64_t begin, int64_t l1_done) {
  const StreamOp& s = *q.stream;
  LineInFlight& line = line_in_flight(s.half_line);
  if (line.half_line == s.half_line) return std::max(l1_done, line.arrives);
  if (!s.l2_coming) return l1_done;
  line = {s.half_line, begin + (q.crowd ? m_.latency.dram_crowd : m_.latency.dram)};
  return line.arrives;
}

int64_t SmMemory::wait_for_room(double bytes, int64_t t) {
  while (!inflight_loads_.empty() &&
         (inflight_loads_.front().first <= t || inflight_bytes_ + bytes > inflight_capacity_)) {
    t = std::max(t, inflight_loads_.front().first);
    inflight_bytes_ -= inflight_loads_.front().second;
    inflight_loads_.pop_front();
  }
  return t;
}

int64_t SmMemory::half_offset(const MemoryRequest& q) const {
  if (q.store) return 0;
  return q.stream->l2_far ? m_.latency.l2 - m_.latency.l2_near : m_.latency.l2_near - m_.latency.l2;
}

double SmMemory::atomic_bytes(const StreamOp& s) const {
  constexpr uint8_t none = 7;  // of the scoreboards
  const bool answers = s.op->load || s.op->write_barrier != none;
  const bool even = s.lanes == s.packets || s.lanes * s.op->width >= 32 * s.packets;
  return s.packets * (!answers && even ? m_.memory.l2_add_bytes : m_.memory.l2_atomic_bytes);
}

int64_t SmMemory::pass_l2(const MemoryRequest& q, int64_t begin) {
  const StreamOp& s = *q.stream;
  sent_ = q.load ? wait_for_room(q.bytes, std::max(begin, sent_)) : std::max(begin, sent_);
  // What a load brings from DRAM passes the L2 twice: of a copy, the loads' time and the stores' add up to
  // the measured time (`copy` of tests/microbench/streams.cu). An L2 slice looks up one line per cycle, and
  // takes an atomic's packets one by one (tests/microbench/random_words.cu).
  double lines = std::min<int>(s.wavefronts, q.l2_sectors);
  // An SM sends a sector that it stores a part of per cycle, and each line takes one more: 37 cycles for 32
  // sectors of 8 lines, 67 for 32 of as many (partial_stores.cu, 1 block). That they are joined behind it
  // saves the L2 the time, not the SM (occupancy/3-registers).
  if (q.store && !s.op->bulk) lines += parts_of_sectors(s);
  const double cycles =
      q.atomic  ? atomic_bytes(s) / l2_atomic_rate_
      : q.store ? q.bytes / l2_store_rate_
                : (std::max(q.bytes, m_.memory.l2_load_least * lines) + 32.0 * q.dram_sectors) / l2_rate_;
  // The L2 answers several SMs that ask for one line at once.
  const double served = l2_.pass(double(sent_), cycles / std::min<int>(s.askers, m_.memory.l2_combined),
                                 std::max(q.bytes / m_.memory.l2_sm_bytes, q.atomic ? s.packets : lines));
  r_.l2_busy += int64_t(std::llround(cycles * 16));
  return int64_t(std::ceil(served)) + m_.latency.l2 + half_offset(q);
}

int64_t SmMemory::pass_atomic_queue(const MemoryRequest& q, int64_t begin, int64_t done) {
  if (!q.atomic || atomic_cycles_ <= 0) return done;
  double& free = atomic_queue_free_;
  if (free < double(begin)) r_.atomics_idle += double(begin) - free, free = double(begin);
  free += atomic_cycles_ * q.l2_sectors;
  r_.atomics_busy += atomic_cycles_ * q.l2_sectors;
  return std::max(done, int64_t(std::ceil(free)) + m_.latency.l2);
}

// DRAM answers in pieces of 64 bytes, and the slowest of several counts. A crowd's slowest is no faster than
// one SM's (`crowd` of tests/microbench/shares.cu: 1050 cycles per round of 64 lines by 1 SM or 132).
int64_t SmMemory::dram_latency(const MemoryRequest& q) const {
  const auto& lat = m_.latency;
  if (!q.crowd) return lat.dram + half_offset(q);
  return lat.dram_crowd + (lat.dram + lat.l2 - lat.l2_near - lat.dram_crowd) * (q.parts - 1) / q.parts;
}

// A part of DRAM writes for a while before it reads again (a line lies in one part), and is refreshed now and
// then (a kilobyte lies in one part): a load that arrives meanwhile waits for the rest.
double SmMemory::wait_for_read_turn(uint32_t half_line, double t, double now) const {
  double wait = 0;
  if (write_cycles_ > 0 && write_burst_cycles_ > 0)
    wait = rest_of_busy_time(t, phase_of(half_line / 2), write_burst_cycles_,
                             std::min(0.9, write_cycles_ / std::max(now, write_burst_cycles_)));
  if (refresh_cycles_ > 0 && m_.memory.refresh_share > 0)
    wait = std::max(wait,
                    rest_of_busy_time(t, phase_of(half_line / 16), refresh_cycles_, m_.memory.refresh_share));
  return wait;
}

int64_t SmMemory::pass_dram(const MemoryRequest& q, int64_t done) {
  const StreamOp& s = *q.stream;
  // The blocks that ask for one line at once share the time of its bytes.
  double cycles =
      q.dram_sectors * (32 + in_.scattered_rows * m_.memory.row_open_bytes) / (read_rate_ * s.askers);
  cycles += q.dram_writes / write_rate_;
  if (cycles <= 0) return done;
  const double served = dram_.pass(double(sent_), cycles, 0);
  r_.dram_busy += int64_t(std::llround(cycles * 16));
  if (q.dram_sectors > 0) {
    // Requests of other SMs queue at the banks too. A random arrival at a bank that serves one request per
    // row cycle waits row / 2 * rho / (1 - rho), where rho is the bank's utilisation (M/D/1).
    const double rho = std::min(0.98, double(r_.dram_busy) / 16 / (served + m_.latency.dram));
    const double queued = std::min(row_cycles_ / 2 * rho / (1 - rho), longest_queue_cycles_) +
                          wait_for_read_turn(s.half_line, double(sent_), served);
    // The measured latency contains the average wait for a refresh.
    const double refreshed = refresh_cycles_ * m_.memory.refresh_share / 2;
    done = std::max(
        done, int64_t(std::ceil(std::max(served, double(sent_) + queued) - refreshed)) + dram_latency(q));
  }
  write_cycles_ += q.dram_writes / write_rate_;
  return done;
}

int64_t SmMemory::join_lines_in_flight(const MemoryRequest& q, int64_t done) {
  if (!q.load && !q.atomic) return done;
  const StreamOp& s = *q.stream;
  LineInFlight& line = line_in_flight(s.half_line);
  if (q.dram_sectors > 0)
    line = {s.half_line, done};
  else if (line.half_line == s.half_line)
    done = std::max(done, line.arrives);
  else if (s.l2_coming)
    line = {s.half_line, done = sent_ + dram_latency(q)};
  return done;
}

}  // namespace dojo::simt
