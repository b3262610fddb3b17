#include "simt/checks/global_lane.hpp"

#include <fmt/format.h>

#include "simt/checks/race_advice.hpp"
#include "simt/checks/shadow_cluster.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

GlobalNow global_now(const Exec& x) {
  const Block& b = *x.block;
  const Grid::Over& over = b.grid->over[b.waited];
  return {over.below << Tag::ticket_shift,     b.ticket,
          b.barrier_stamp - b.first_stamp + 1, x.warp->sync_stamp - b.first_stamp + 1,
          x.warp->epoch - b.first_stamp + 1,   x.warp->index,
          over.mixed ? x.machine : nullptr,    &b};
}

namespace {

/// Could the other access, not known to be ordered before, be at the same time?
bool unordered(const GlobalNow& m, uint64_t t, uint32_t thread) {
  if (t < m.floor) return false;
  if (Tag::ticket(t) != m.ticket) return !m.asked || !m.asked->is_over(Tag::ticket(t), *m.block);
  const uint64_t stamp = Tag::stamp(t);
  if (stamp < m.barrier || stamp == Tag::max_stamp) return false;
  const uint32_t other = Tag::thread(t);
  if (other == thread) return false;
  return !(other / 32 == m.warp && stamp < m.sync);
}

uint64_t race_key(const Inst* p, bool write, uint64_t other, bool other_write) {
  return finding_key(Check::global_race, p->access, Tag::access(other), write, other_write);
}
/// Does a flag, a counter or a cluster's barrier order the other access before this one? A race that was
/// reported isn't looked at again.
bool ordered(Exec& x, const Inst* p, uint64_t address, bool write, bool strong, uint64_t other,
             bool other_write, uint32_t thread) {
  if (!x.tracked) return false;
  if (ordered_by_cluster(x, other)) return true;
  const uint64_t pair = race_key(p, write, other, other_write);
  return !x.machine->known(pair) && ordered_by_flags(x, global_flag(address), other, thread, strong, pair);
}

/// What to do about two strong accesses that race.
std::string_view strong_advice(const AccessTraits& a, const AccessTraits& b, bool same_block) {
  if (!same_block && (a.scope == Scope::block || b.scope == Scope::block)) return narrow_scope;
  if (a.is_volatile || b.is_volatile)
    return "volatile orders nothing: use an atomic, or order the two by a fence and a flag.";
  return "Set the word before the launch, or order the setting before its uses.";
}

/// The other side of a race in global memory: of this launch, or of one that runs beside it.
OtherSide side_of(Exec& x, uint64_t other, bool writes) {
  OtherSide o;
  o.access = Tag::access(other), o.writes = writes;
  uint64_t linear = 0;
  const Grid* g = x.machine->grid_of_ticket(Tag::ticket(other), &linear);
  o.same_launch = !g || g == x.block->grid;
  o.same_block = Tag::ticket(other) == x.block->ticket;
  o.same_warp = o.same_block && Tag::thread(other) / 32 == x.warp->index;
  if (!g) return o;
  o.block = g->grid.at(linear);
  o.thread = g->block.at(Tag::thread(other));
  o.name = thread_name(g->block, *o.thread);
  if (!o.same_block) o.name += " of " + block_name(g->grid, *o.block);
  if (!o.same_launch) o.name += " of " + g->code->fn->demangled;
  return o;
}

/// A race of a plain load that is only compared with a plain store: harmless if all such stores write one
/// value. Notes the value; the end of the run decides.
bool may_be_level(Exec& x, const Inst* p, uint32_t lane, uint64_t address, bool write, bool strong,
                  uint64_t other, bool other_write) {
  if (strong || (other & Tag::strong_bit) || write == other_write || p->count != 1 || p->width > 8)
    return false;
  const uint32_t load = write ? Tag::access(other) : p->access;
  if (!x.machine->traits(load).only_compared) return false;
  uint64_t value = 0;
  if (write) {
    value = p->wide & 2 ? x.slot<uint64_t>(p->d)[lane] : x.slot<uint32_t>(p->d)[lane];
    if (p->width < 8) value &= (uint64_t(1) << 8 * p->width) - 1;
  } else {
    const std::byte* at = x.memory->at(address, p->width);
    if (!at) return false;
    std::memcpy(&value, at, p->width);
  }
  const uint64_t writer = write ? Tag::make(x.block->ticket, 0, thread_index(x, int(lane)), false, 0)
                                : Tag::make(Tag::ticket(other), 0, Tag::thread(other), false, 0);
  return x.machine->note_level(write ? p->access : Tag::access(other), value, address, writer);
}

void report_global_race(Exec& x, const Inst* p, uint32_t lane, uint64_t address, bool write, bool strong,
                        uint64_t other, bool other_write) {
  const uint64_t key = race_key(p, write, other, other_write);
  const bool level = may_be_level(x, p, lane, address, write, strong, other, other_write);
  if (!(level ? x.machine->wanted_quietly(key) : x.machine->wanted(key))) {
    if (Tag::ticket(other) == x.block->ticket && Tag::thread(other) / 32 != x.warp->index)
      x.machine->across_warps(key);
    return;
  }
  const OtherSide o = side_of(x, other, other_write);
  const bool both_strong = strong && (other & Tag::strong_bit);
  const std::string advice = both_strong
                                 ? std::string(strong_advice(x.machine->traits(p->access),
                                                             x.machine->traits(o.access), o.same_block))
                                 : separation(x, p, o);
  const std::string element = element_name(x, p, address, uint32_t(p->width) * p->count);
  Diagnostic d =
      finding(x, p, FindingKind::race, race_message(x, lane, write, element, o, advice), int(lane));
  d.facts = {.read = !write || !o.writes, .write = true};
  d.related.push_back(other_place(x, o));
  if (level)
    x.machine->report_level(
        x, std::move(d), write ? p->access : o.access,
        race_message(x, lane, write, element, o,
                     "All unordered stores here write one value, as in a level of a breadth-first search. "
                     "That is harmless if the comparison may see the old value or the new one."));
  else
    x.machine->report_race(x, std::move(d), key);
}

/// An atomic in a loop that only asks: a compare-and-swap, or one that adds nothing. It waits as a load
/// would.
bool asks(const Exec& x, const Inst* p) {
  const auto& owners = x.program->accesses();
  if (p->access >= owners.size()) return false;
  const AccessOwner& at = owners[p->access];
  const ptx::Function& f = x.program->module().functions[at.function];
  if (!f.blocks[f.block_of[at.ptx]].in_loop) return false;
  const ptx::Instruction& i = f.code[at.ptx];
  const ptx::Change change = i.meaning.change;
  if (change == ptx::Change::cas) return true;
  return (change == ptx::Change::add || change == ptx::Change::or_ || change == ptx::Change::xor_) &&
         i.operands.size() > 2 && i.operands[2].kind == ptx::OperandKind::imm && i.operands[2].value == 0;
}

/// Two strong accesses that nothing orders: are they no race all the same?
bool excused(const AccessTraits& a, const AccessTraits& b, bool same_block) {
  if (!same_block && (a.scope == Scope::block || b.scope == Scope::block)) return false;
  // A flag may be volatile where it is polled.
  if (a.is_volatile || b.is_volatile) return a.polls || b.polls;
  // An initialisation and what adds to the word.
  return !((a.sets && b.counts) || (b.sets && a.counts));
}

/// One lane's access to global memory against what is noted of each grain that it touches.
class GlobalLane {
 public:
  GlobalLane(Exec& x, const Inst* p, RegionShadow& s, const GlobalNow& m, Region& region, uint32_t lane,
             uint64_t address, uint32_t bytes, bool write, bool strong)
      : x_(x),
        p_(p),
        s_(s),
        now_(m),
        region_(region),
        lane_(lane),
        address_(address),
        bytes_(bytes),
        offset_(address - region.base),
        write_(write),
        strong_(strong),
        atomic_(write && strong && !(p->flags & flag::strong)),
        thread_(thread_index(x, int(lane))),
        tag_(Tag::make(m.ticket, m.epoch, thread_, strong, p->access)),
        mine_(x.machine->traits(p->access)) {}

  void check();

 private:
  bool races(uint64_t other, bool other_write) const {
    return unordered(now_, other, thread_) && !pardoned(other) &&
           !ordered(x_, p_, address_, write_, strong_, other, other_write, thread_);
  }
  /// Two accesses that nothing orders, and that are no race all the same.
  bool pardoned(uint64_t other) const;
  /// A strong read of what another block wrote: does one of the two name a scope that leaves the other out?
  bool too_narrow(uint64_t writer) const;
  /// A store that changes nothing where the other store's value stands.
  bool benign(uint64_t writer) const;
  bool padding() const;
  void unwritten();
  void check_grain(uint64_t g);
  void against_setter();
  void against_readers(uint64_t g);
  void note_read(uint64_t g, uint64_t writer_tag);
  void note_write();

  Exec& x_;
  const Inst* p_;
  RegionShadow& s_;
  const GlobalNow& now_;
  Region& region_;
  const uint32_t lane_;
  const uint64_t address_;
  const uint32_t bytes_;
  const uint64_t offset_;
  const bool write_, strong_, atomic_;
  const uint32_t thread_;
  const uint64_t tag_;
  const AccessTraits& mine_;
};

bool GlobalLane::pardoned(uint64_t other) const {
  const AccessTraits& theirs = x_.machine->traits(Tag::access(other));
  if (strong_ && (other & Tag::strong_bit)) return excused(mine_, theirs, Tag::ticket(other) == now_.ticket);
  return (mine_.seeds_swap && (other & Tag::strong_bit)) || (theirs.seeds_swap && atomic_);
}

bool GlobalLane::too_narrow(uint64_t writer) const {
  if (!writer || Tag::ticket(writer) == now_.ticket) return false;
  return mine_.scope == Scope::block ||
         ((writer & Tag::strong_bit) && x_.machine->traits(Tag::access(writer)).scope == Scope::block);
}

bool GlobalLane::benign(uint64_t writer) const {
  if (!write_ || atomic_) return false;
  if (Tag::access(writer) == p_->access && Tag::ticket(writer) == now_.ticket &&
      Tag::thread(writer) / 32 == now_.warp && Tag::stamp(writer) == now_.epoch)
    return same_value(x_, p_, lane_, Tag::thread(writer) & 31);
  return keeps_value(x_, p_, lane_, region_.data + offset_);
}

/// Padding that is copied with an object: a library's word of which some bytes were written; or, where a
/// struct is copied word by word, a word beside a written one in the same eight bytes, which is as far as
/// alignment pads.
bool GlobalLane::padding() const {
  const auto some_of = [&](uint64_t from, uint64_t n) {
    for (uint64_t i = from; i < std::min(from + n, uint64_t(region_.size)); ++i)
      if (initialized(s_, i, 1)) return true;
    return false;
  };
  if (some_of(offset_, bytes_) && in_library(x_, p_)) return true;
  return bytes_ < 8 && some_of(offset_ / 8 * 8, 8) && copies_only(x_, p_);
}

void GlobalLane::unwritten() {
  if (region_.initialized || initialized(s_, offset_, bytes_) || padding() ||
      !x_.machine->wanted(finding_key(Check::global_unwritten, p_->access)))
    return;
  emit(x_, finding(x_, p_, FindingKind::uninitialized,
                   fmt::format("{} reads {}, which nothing has written.", subject(x_, lane_),
                               element_name(x_, p_, address_, bytes_)),
                   int(lane_)));
}

/// An addition against the store that set the word.
void GlobalLane::against_setter() {
  if (const uint64_t set = last_set(x_, global_flag(address_));
      set && unordered(now_, set, thread_) && !ordered(x_, p_, address_, true, true, set, true, thread_))
    report_global_race(x_, p_, lane_, address_, true, true, set, true);
}

void GlobalLane::against_readers(uint64_t g) {
  for (uint64_t r : {s_.read1[g], s_.read2[g]}) {
    // A flag that its own block polls may be set by any store.
    if ((r & Tag::strong_bit) && Tag::ticket(r) == now_.ticket &&
        x_.machine->traits(Tag::access(r)).scope == Scope::block)
      continue;
    if (races(r, false)) {
      report_global_race(x_, p_, lane_, address_, true, strong_, r, false);
      break;
    }
  }
}

void GlobalLane::note_read(uint64_t g, uint64_t writer_tag) {
  (unordered(now_, s_.read1[g], thread_) ? s_.read2 : s_.read1)[g] = tag_;
  if (strong_ && x_.tracked) note_strong_read(x_, p_, global_flag(address_), lane_, writer_tag);
}

void GlobalLane::check_grain(uint64_t g) {
  const uint64_t w = s_.write[g];
  const uint64_t writer_tag = w >= now_.floor ? w : 0;
  if (!write_ && strong_) {
    // The functional order may have run the writer first: in time, this reader still comes after it.
    if (x_.ordered && x_.warp->trace) note_wake(x_, *x_.block, *x_.warp, address_);
    if (mine_.polls || !mine_.is_volatile) {  // a volatile access that waits for nothing is data
      // The write was reported where it met an earlier round of the same loop.
      const auto told = finding_key(Check::global_race, Tag::access(w), p_->access, true, false);
      if (too_narrow(writer_tag) && !x_.machine->known(told) && races(w, true))
        report_global_race(x_, p_, lane_, address_, false, true, w, true);
      if (mine_.scope == Scope::block)
        note_read(g, writer_tag);
      else if (x_.tracked)
        note_strong_read(x_, p_, global_flag(address_), lane_, writer_tag);
      return;
    }
  }
  if (races(w, true) && !benign(w)) report_global_race(x_, p_, lane_, address_, write_, strong_, w, true);
  if (atomic_ && x_.ordered && mine_.sets) note_set(x_, global_flag(address_), lane_, p_->access);
  if (atomic_ && x_.ordered && mine_.counts) against_setter();
  if (!write_) {
    note_read(g, writer_tag);
    return;
  }
  against_readers(g);
  s_.write[g] = tag_;
}

void GlobalLane::note_write() {
  if (!region_.initialized) set_initialized(s_, offset_, bytes_);
  if (strong_ && x_.ordered) {
    const bool waits = atomic_ && asks(x_, p_);
    if (waits && x_.warp->trace) note_wake(x_, *x_.block, *x_.warp, address_);
    if (!waits) note_writer(x_, address_, !mine_.counts);
  }
  if (strong_ && x_.tracked) {
    note_strong_write(x_, p_, global_flag(address_), lane_);
    if (atomic_ && !(p_->flags & flag::unused)) note_strong_read(x_, p_, global_flag(address_), lane_, 0);
  }
}

void GlobalLane::check() {
  if (!write_ || (atomic_ && p_->sub != 8)) unwritten();  // 8: an exchange, whose old value need not be used
  for (uint64_t g = offset_ / s_.grain, last = (offset_ + bytes_ - 1) / s_.grain; g <= last; ++g)
    check_grain(g);
  if (write_) note_write();
}

}  // namespace

void check_global_lane(Exec& x, const Inst* p, RegionShadow& s, const GlobalNow& m, Region& region,
                       uint32_t l, uint64_t address, uint32_t bytes, bool write, bool strong) {
  GlobalLane(x, p, s, m, region, l, address, bytes, write, strong).check();
}

}  // namespace dojo::simt
