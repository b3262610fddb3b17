#include "simt/checks/barrier_starts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/race_advice.hpp"
#include "simt/state/access.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

constexpr uint32_t mbarrier_bytes = 8;

/// The block in whose shared memory a place lies; null: there is none, it is not checked, or the place is
/// outside.
Block* checked_owner(const Exec& x, uint64_t place) {
  const uint64_t rank = cta_of(place);
  Block* owner = x.block;
  if (const Cluster* c = owner->cluster; c && rank)
    owner = rank <= c->blocks.size() ? c->blocks[rank - 1] : nullptr;
  return owner && owner->detail && offset_in_cta(place) + mbarrier_bytes <= owner->shared_bytes ? owner
                                                                                                : nullptr;
}

BarrierStart* start_at(Block& owner, uint64_t offset) {
  const auto at = std::find_if(owner.barrier_starts.begin(), owner.barrier_starts.end(),
                               [&](const BarrierStart& s) { return s.offset == offset; });
  return at == owner.barrier_starts.end() ? nullptr : &*at;
}

std::string name_of(const Exec& x, const Inst* p, const Block& owner, uint64_t offset) {
  const std::string name = shared_name(x, p, offset, mbarrier_bytes);
  return &owner == x.block ? name : name + " of " + block_name(x.grid->grid, owner.index);
}

/// Once per mbarrier: one barrier is missing for all its uses.
void report_unstarted(Exec& x, const Inst* p, uint32_t lane, const Block& owner, uint64_t offset) {
  if (!x.machine->wanted(finding_key(Check::barrier_unstarted, uint32_t(offset)))) return;
  emit(x, finding(x, p, FindingKind::uninitialized,
                  fmt::format("{} uses {} as an mbarrier, which no thread has initialised yet. Initialise it "
                              "in one thread, and put {} behind that.",
                              subject(x, lane), name_of(x, p, owner, offset),
                              &owner == x.block ? "__syncthreads()" : "cluster.sync()"),
                  int(lane)));
}

/// Once per initialisation.
void report_unordered(Exec& x, const Inst* p, uint32_t lane, const Block& owner, const BarrierStart& s) {
  if (!x.machine->wanted(finding_key(Check::barrier_start, s.access))) return;
  const OtherSide other = other_side(x, &owner, s.thread, s.access, true);
  Diagnostic d = finding(
      x, p, FindingKind::race,
      fmt::format("Race: {} uses {}, an mbarrier, while {} may still initialise it. Put {} between the "
                  "initialisation and the first use{}.",
                  lane_name(x, lane), name_of(x, p, owner, s.offset), other.name,
                  other.same_block ? "__syncthreads()" : "cluster.sync()",
                  other.same_warp ? "; __syncwarp() if this warp alone uses it" : ""),
      int(lane));
  d.facts = {.write = true, .shared = true, .array = shared_array(x, s.offset)};
  d.related.push_back(other_place(x, other));
  d.related.back().message = "the other thread initialises it here";
  emit(x, std::move(d));
}

/// Does a flag in shared memory order the initialisation before the lane's use?
bool ordered_by_flag(Exec& x, uint32_t thread, const BarrierStart& s) {
  const Block& b = *x.block;
  const uint64_t key = finding_key(Check::barrier_start, s.access);
  if (!x.tracked || !x.shared_flags || x.machine->known(key)) return false;
  const uint64_t start = Tag::make(b.ticket, s.stamp - b.first_stamp + 1, s.thread, false, s.access);
  return Tag::stamp(start) == Tag::max_stamp ||
         ordered_by_flags(x, shared_flag(b, s.offset), start, thread, true, key);
}

}  // namespace

void note_barrier_start(Exec& x, const Inst* p, uint32_t lane, uint64_t place) {
  Block* owner = checked_owner(x, place);
  if (owner != x.block) return;
  // Not before the end of the last phase: the warp need not have waited for it.
  const uint32_t stamp = std::max(x.warp->epoch, x.block->barrier_stamp);
  const BarrierStart start{offset_in_cta(place), stamp, stamp, thread_index(x, int(lane)), p->access};
  if (BarrierStart* s = start_at(*owner, start.offset))
    *s = start;
  else
    owner->barrier_starts.push_back(start);
}

void forget_barrier_start(Exec& x, uint64_t place) {
  if (Block* owner = checked_owner(x, place))
    std::erase_if(owner->barrier_starts,
                  [&](const BarrierStart& s) { return s.offset == offset_in_cta(place); });
}

bool check_barrier_use(Exec& x, const Inst* p, uint32_t lane, uint64_t place) {
  Block* owner = checked_owner(x, place);
  if (!owner) return true;
  const BarrierStart* s = start_at(*owner, offset_in_cta(place));
  if (!s) {
    report_unstarted(x, p, lane, *owner, offset_in_cta(place));
    return true;
  }
  if (owner != x.block) {
    // Blocks that signal each other may be ordered by that.
    if (s->stamp >= owner->cluster_stamp && !x.block->cluster->signals)
      report_unordered(x, p, lane, *owner, *s);
    return true;
  }
  if (s->since < owner->barrier_stamp) return true;
  const uint32_t thread = thread_index(x, int(lane));
  const bool own = s->thread == thread || (s->thread / 32 == x.warp->index && s->stamp < x.warp->sync_stamp);
  if (!own && !ordered_by_flag(x, thread, *s)) report_unordered(x, p, lane, *owner, *s);
  return false;
}

void keep_barrier_start(Exec& x, uint64_t place, uint32_t before) {
  Block* owner = checked_owner(x, place);
  BarrierStart* s = owner == x.block ? start_at(*owner, offset_in_cta(place)) : nullptr;
  if (s && s->since >= before) s->since = x.block->barrier_stamp;
}

}  // namespace dojo::simt
