// One lane's access to shared memory: races with what is noted of its words, and words that nothing wrote.
#include <fmt/format.h>

#include "simt/checks/race_advice.hpp"
#include "simt/checks/shadow_bits.hpp"
#include "simt/checks/shadow_vectors.hpp"
#include "simt/checks/shared_arrays.hpp"
#include "simt/checks/shared_order.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/launch_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {

void report_shared_race(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write,
                        uint32_t other_thread, uint32_t other_access, bool other_write) {
  const uint64_t key = finding_key(Check::shared_race, p->access, other_access, write, other_write);
  const bool same_warp = other_thread / 32 == x.warp->index;
  if (!x.machine->wanted(key)) {
    if (!same_warp) x.machine->across_warps(key);
    return;
  }
  const OtherSide o = other_side(x, x.block, other_thread, other_access, other_write);
  const std::string element = shared_name(x, p, offset, uint32_t(p->width) * p->count);
  Diagnostic d = finding(x, p, FindingKind::race,
                         race_message(x, lane, write, element, o, separation(x, p, o)), int(lane));
  d.facts = {.read = !write || !o.writes, .write = true, .shared = true, .array = shared_array(x, offset)};
  d.related.push_back(other_place(x, o));
  x.machine->report_race(x, std::move(d), key);
}
void report_shared_uninit(Exec& x, const Inst* p, uint32_t lane, uint64_t offset) {
  const uint64_t key = finding_key(Check::shared_unwritten, p->access);
  if ((!x.machine->known(key) && in_library(x, p)) || !x.machine->wanted(key)) return;
  Diagnostic d =
      finding(x, p, FindingKind::uninitialized,
              fmt::format("{} reads {}, which no thread of the block has written.", subject(x, lane),
                          shared_name(x, p, offset, uint32_t(p->width) * p->count)),
              int(lane));
  d.facts = {.read = true, .shared = true, .array = shared_array(x, offset)};
  emit(x, std::move(d));
}

void report_copy(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write,
                 const CopiesInFlight::Copy& copy) {
  if (!x.machine->wanted(finding_key(Check::copy_in_flight, p->access, copy.access, write))) return;
  Diagnostic d = finding(
      x, p, FindingKind::race,
      fmt::format("Race: {} {} {} while a cp.async may still be writing it. Wait for the copy's group "
                  "(cp.async.wait_group, __pipeline_wait_prior) in the thread that copies, then "
                  "__syncthreads().",
                  lane_name(x, lane), write ? "writes" : "reads",
                  shared_name(x, p, offset, uint32_t(p->width) * p->count)),
      int(lane));
  const auto& owners = x.program->accesses();
  if (copy.access < owners.size()) {
    const AccessOwner& o = owners[copy.access];
    d.related.push_back({place_of(*x.program, o.function, o.ptx), "the copy starts here", x.block->index,
                         thread_of(x, copy.thread)});
  }
  emit(x, std::move(d));
}

/// One lane's access to shared memory against what is noted of each grain that it touches.
class SharedLane {
 public:
  SharedLane(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write, bool atomic)
      : x_(x),
        p_(p),
        lane_(lane),
        offset_(offset),
        write_(write),
        atomic_(atomic),
        b_(*x.block),
        s_(b_.shadow),
        now_(x),
        thread_(thread_index(x, int(lane))),
        tag_(now_.epoch | thread_),
        mine_(x.machine->traits(p->access)),
        strong_(atomic || mine_.strong) {}

  void check(uint64_t g);

 private:
  bool conflict(uint32_t t) const { return !now_.ordered(t, thread_); }
  uint64_t flag() const { return shared_flag(b_, offset_); }
  uint64_t flag_tag(uint32_t t, bool strong, uint32_t access) const {
    return Tag::make(b_.ticket, (t >> 10) - b_.first_stamp + 1, t & 1023, strong, access);
  }
  /// Does a flag order the other access before this one?
  bool ordered(uint32_t t, uint32_t access, bool other_write, bool other_strong) const;
  /// Who wrote the grain last; a copy that is still in flight is a finding.
  uint32_t writer_of(uint64_t g);
  /// Two accesses that nothing orders, and that are no race all the same.
  bool pardoned(const AccessTraits& theirs, bool was_atomic) const;
  /// A store that changes nothing where the other store's value stands.
  bool benign(uint32_t writer, uint32_t access) const;
  void against_setter();
  void against_readers(uint64_t g);
  void note(uint64_t g);
  void note_flags(uint64_t writer_tag);

  Exec& x_;
  const Inst* p_;
  const uint32_t lane_;
  const uint64_t offset_;
  const bool write_, atomic_;
  Block& b_;
  SharedShadow& s_;
  const SharedNow now_;
  const uint32_t thread_, tag_;
  const AccessTraits& mine_;
  const bool strong_;
};

bool SharedLane::ordered(uint32_t t, uint32_t access, bool other_write, bool other_strong) const {
  const auto key = finding_key(Check::shared_race, p_->access, access, write_, other_write);
  if (!x_.tracked || x_.machine->known(key)) return false;
  const uint64_t other = flag_tag(t, other_strong, access);
  return Tag::stamp(other) == Tag::max_stamp || ordered_by_flags(x_, flag(), other, thread_, strong_, key);
}

uint32_t SharedLane::writer_of(uint64_t g) {
  if (s_.write[g] < copy_tag) return s_.write[g];
  const CopiesInFlight::Copy* copy = copy_in_flight(x_, g * s_.grain);
  if (copy) report_copy(x_, p_, lane_, g * s_.grain, write_, *copy);
  return s_.write[g] = copy ? tag_ : 0;  // 0: the copy was of an earlier block
}

bool SharedLane::pardoned(const AccessTraits& theirs, bool was_atomic) const {
  if (atomic_ && was_atomic && !((mine_.sets && theirs.counts) || (theirs.sets && mine_.counts))) return true;
  if (strong_ && !atomic_ && was_atomic && theirs.polls) return true;
  return (atomic_ && mine_.polls && theirs.is_volatile) || (mine_.seeds_swap && was_atomic);
}

bool SharedLane::benign(uint32_t writer, uint32_t access) const {
  if (!write_ || atomic_) return false;
  const uint32_t other = writer & 1023;
  if (access == p_->access && other / 32 == x_.warp->index && (writer & ~1023u) == (tag_ & ~1023u))
    return same_value(x_, p_, lane_, other & 31);
  return keeps_value(x_, p_, lane_, b_.shared.data() + offset_);
}

/// An addition against the store that set the word.
void SharedLane::against_setter() {
  const uint64_t set = last_set(x_, flag());
  if (!set) return;
  const uint32_t by = uint32_t(Tag::stamp(set) - 1 + b_.first_stamp) << 10 | Tag::thread(set);
  if (conflict(by) && !ordered(by, Tag::access(set), true, true))
    report_shared_race(x_, p_, lane_, offset_, true, by & 1023, Tag::access(set), true);
}

void SharedLane::against_readers(uint64_t g) {
  for (const auto& [r, by] : {std::pair(s_.read1[g], s_.read1_inst[g]), {s_.read2[g], s_.read2_inst[g]}}) {
    if (!conflict(r) || (atomic_ && x_.machine->traits(by).seeds_swap) || ordered(r, by, false, false))
      continue;
    report_shared_race(x_, p_, lane_, offset_, true, r & 1023, by, false);
    break;
  }
}

void SharedLane::note(uint64_t g) {
  if (write_) {
    s_.write[g] = tag_;
    s_.writer_inst[g] = p_->access | (atomic_ ? 0x80000000u : 0);
  } else if (!conflict(s_.read1[g])) {
    s_.read1[g] = tag_, s_.read1_inst[g] = p_->access;
  } else {
    s_.read2[g] = tag_, s_.read2_inst[g] = p_->access;
  }
}

void SharedLane::note_flags(uint64_t writer_tag) {
  if (!strong_ || !x_.shared_flags) return;
  if (write_) note_strong_write(x_, p_, flag(), lane_);
  if (!write_ || (atomic_ && !(p_->flags & flag::unused)))
    note_strong_read(x_, p_, flag(), lane_, write_ ? 0 : writer_tag);
}

void SharedLane::check(uint64_t g) {
  const uint32_t w = writer_of(g);
  const bool was_atomic = s_.writer_inst[g] & 0x80000000u;
  const uint32_t access = s_.writer_inst[g] & 0x7fffffffu;
  const AccessTraits& theirs = x_.machine->traits(access);
  const bool was_strong = was_atomic || theirs.strong;
  const uint64_t writer_tag = w < now_.first ? 0 : flag_tag(w, was_strong, access);
  // 8: an exchange, whose old value need not be used.
  if ((!write_ || (atomic_ && p_->sub != 8)) && w < now_.first) report_shared_uninit(x_, p_, lane_, offset_);
  // A flag that is polled is there to be read while another thread writes it.
  if (!write_ && strong_ && (mine_.polls || !mine_.is_volatile)) {
    if (x_.shared_flags) note_strong_read(x_, p_, flag(), lane_, writer_tag);
    return;
  }
  if (conflict(w) && !pardoned(theirs, was_atomic) && !ordered(w, access, true, was_strong) &&
      !benign(w, access))
    report_shared_race(x_, p_, lane_, offset_, write_, w & 1023, access, true);
  if (atomic_ && mine_.sets) {
    // Blocks that run at once keep no such notes.
    if (!x_.machine->serial()) x_.machine->give_up_attempt();
    note_set(x_, flag(), lane_, p_->access);
  }
  if (atomic_ && mine_.counts && x_.machine->serial()) against_setter();
  if (write_) against_readers(g);
  note(g);
  note_flags(writer_tag);
}

}  // namespace

void check_shared_lane(Exec& x, const Inst* p, uint32_t l, uint64_t offset, uint32_t bytes, bool write,
                       bool atomic) {
  const uint32_t grain = x.block->shadow.grain;
  SharedLane lane(x, p, l, offset, write, atomic);
  for (uint64_t g = offset / grain, end = (offset + bytes - 1) / grain; g <= end; ++g) lane.check(g);
}

}  // namespace dojo::simt
