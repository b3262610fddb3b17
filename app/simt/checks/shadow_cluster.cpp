#include "simt/checks/shadow_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/race_advice.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

/// What to do about accesses of two blocks; empty: both are atomic, and the scope of each holds the other's
/// block.
std::string_view remedy(const Exec& x, bool both_atomic, uint32_t access, uint32_t other) {
  if (!both_atomic) return "Put cluster.sync() between them.";
  const bool narrow =
      x.machine->traits(access).scope == Scope::block || x.machine->traits(other).scope == Scope::block;
  return narrow ? narrow_scope : std::string_view();
}

uint64_t key_of(uint32_t rank, uint64_t grain) { return uint64_t(rank) << 32 | grain; }

std::string memory_name(const Exec& x, const Inst* p, const Block& owner, uint64_t offset) {
  return shared_name(x, p, offset, std::max(uint32_t(p->width) * p->count, 1u)) + " of " +
         block_name(x.grid->grid, owner.index);
}

/// Reports what meets an access of another block, `by`, if it is a race. `from`: that block, null where it is
/// gone.
void report(Exec& x, const Inst* p, uint32_t lane, const Block& owner, uint64_t offset, bool write,
            const Block* from, const Cluster::PeerAccess& by, bool by_write, bool both_atomic) {
  const std::string advice(remedy(x, both_atomic, p->access, by.access));
  if (advice.empty() ||
      !x.machine->wanted(finding_key(Check::peer_race, p->access, by.access, write, by_write)))
    return;
  const OtherSide other = other_side(x, from, by.thread, by.access, by_write);
  Diagnostic d =
      finding(x, p, FindingKind::race,
              race_message(x, lane, write, memory_name(x, p, owner, offset), other, advice), int(lane));
  d.facts = {.read = !write || !other.writes, .write = true};
  d.related.push_back(other_place(x, other));
  emit(x, std::move(d));
}

const Block* member(const Cluster& c, uint32_t rank) {
  return rank < c.blocks.size() ? c.blocks[rank] : nullptr;
}

/// A word of a block that another block wrote counts as written, and as ordered by the barrier that ends the
/// phase.
void mark_written(Block& owner, uint64_t grain) {
  uint32_t& tag = owner.shadow.write[grain];
  tag = std::max(tag, owner.first_stamp << 10);
}

/// Accesses of blocks to the memory of another one, this phase.
void meet_peers(Exec& x, const Inst* p, uint32_t lane, const Block& owner, uint64_t grain, bool write,
                bool atomic) {
  Cluster& c = *x.block->cluster;
  const auto at = c.peers.find(key_of(owner.cluster_rank, grain));
  if (at == c.peers.end()) return;
  const auto look = [&](const Cluster::PeerAccess& a, bool writes) {
    // Two accesses of one block are left out: its own barriers may order them.
    if (!a.any || a.rank == x.block->cluster_rank) return;
    report(x, p, lane, owner, grain * owner.shadow.grain, write, member(c, a.rank), a, writes,
           atomic && a.atomic);
  };
  look(at->second.write, true);
  if (write) look(at->second.read, false);
}

/// Has a thread of the block read a flag or counter that another block wrote before?
bool has_read_flag_of_another(Exec& x) {
  const SyncState& sync = x.machine->sync();
  const auto at = sync.acquired.find(x.block->ticket);
  if (at == sync.acquired.end()) return false;
  for (const auto& [flag, reads] : at->second.by_flag) {
    const auto word = sync.flags.find(flag);
    if (word == sync.flags.end() || reads.empty()) continue;
    const std::vector<Release>& writes = word->second.releases;
    const size_t seen = std::min<size_t>(reads.back().version, writes.size());
    if (std::any_of(writes.begin(), writes.begin() + ptrdiff_t(seen),
                    [&](const Release& r) { return r.ticket != x.block->ticket; }))
      return true;
  }
  return false;
}

}  // namespace

void check_peer_started(Exec& x, const Inst* p, uint32_t lane, uint64_t place, bool write) {
  if (x.block->peers_started) return;
  const Cluster* c = x.block->cluster;
  const uint64_t rank = cta_of(place);
  if (!c || !rank || rank - 1 == x.block->cluster_rank || rank > c->blocks.size()) return;
  const Block* owner = c->blocks[rank - 1];
  const uint64_t key = finding_key(Check::peer_start, p->access);
  if (!owner || x.machine->known(key)) return;
  if (has_read_flag_of_another(x)) {
    x.block->peers_started = true;
    return;
  }
  if (!x.machine->wanted_quietly(key)) return;
  Diagnostic d =
      finding(x, p, FindingKind::race,
              fmt::format("Race: {} {} {}, which may not have started yet. Put cluster.sync() before the "
                          "first access to another block's shared memory.",
                          lane_name(x, lane), write ? "writes" : "reads",
                          memory_name(x, p, *owner, offset_in_cta(place))),
              int(lane));
  d.facts = {.read = !write, .write = write};
  x.machine->report_early_peer(x, std::move(d));
}

bool check_peer(Exec& x, const Inst* p, uint32_t lane, uint64_t place, uint32_t bytes, bool write,
                bool atomic) {
  Cluster& c = *x.block->cluster;
  const uint64_t rank = cta_of(place);
  const uint64_t offset = offset_in_cta(place);
  const bool other = rank && rank - 1 != x.block->cluster_rank;
  Block* owner = other ? (rank <= c.blocks.size() ? c.blocks[rank - 1] : nullptr) : x.block;
  if (!owner || offset + bytes > owner->shared_bytes) return other;
  if (other) check_peer_started(x, p, lane, place, write);
  const SharedShadow& s = owner->shadow;
  const bool strong = atomic || x.machine->traits(p->access).strong;
  const uint64_t first = offset / s.grain, last = (offset + bytes - 1) / s.grain;
  if (c.signals) {
    for (uint64_t g = first; other && write && g <= last; ++g) mark_written(*owner, g);
    return other;
  }
  if (!other) {
    if (!c.peers.empty())
      for (uint64_t g = first; g <= last; ++g) meet_peers(x, p, lane, *owner, g, write, strong);
    return false;
  }
  const uint32_t since = owner->cluster_stamp << 10;
  const Cluster::PeerAccess mine{x.block->cluster_rank, thread_index(x, int(lane)), p->access, true, strong};
  for (uint64_t g = first; g <= last; ++g) {
    const uint32_t w = s.write[g], by = s.writer_inst[g] & 0x7fffffffu;
    const bool was_atomic = s.writer_inst[g] & 0x80000000u;
    if (w >= since && w < copy_tag)
      report(x, p, lane, *owner, g * s.grain, write, owner, {.thread = w & 1023, .access = by}, true,
             strong && (was_atomic || x.machine->traits(by).strong));
    if (write)
      for (const auto& [r, by_read] : {std::pair(s.read1[g], s.read1_inst[g]), {s.read2[g], s.read2_inst[g]}})
        if (r >= since) {
          report(x, p, lane, *owner, g * s.grain, write, owner, {.thread = r & 1023, .access = by_read},
                 false, false);
          break;
        }
    meet_peers(x, p, lane, *owner, g, write, strong);
    Cluster::Peers& noted = c.peers[key_of(owner->cluster_rank, g)];
    (write ? noted.write : noted.read) = mine;
  }
  return true;
}

void end_cluster_phase(Cluster& c) {
  for (const auto& [key, noted] : c.peers)
    if (Block* owner = c.blocks[key >> 32]; owner && noted.write.any) mark_written(*owner, uint32_t(key));
  c.peers.clear();
  for (Block* b : c.blocks)
    if (b) b->cluster_stamp = b->barrier_stamp = ++b->stamp;
}

void end_phase_if_all_came(Cluster& c, uint32_t threads) {
  uint32_t gone = 0;
  for (const Block* b : c.blocks) gone += b ? b->threads - b->live_threads : threads;
  if (c.arrived + gone < uint32_t(c.blocks.size()) * threads) return;
  c.arrived = 0;
  ++c.phase;
  end_cluster_phase(c);
}

bool ordered_by_cluster(const Exec& x, uint64_t other) {
  const Cluster* cluster = x.block->cluster;
  if (!cluster || cluster->phase == 0) return false;
  const uint64_t ticket = Tag::ticket(other);
  for (const Block* b : cluster->blocks)
    if (b && b->ticket == ticket) return Tag::stamp(other) < b->cluster_stamp - b->first_stamp + 1;
  const Grid& g = *x.grid;
  if (ticket < g.ticket_base || ticket >= g.ticket_base + g.blocks) return false;
  const Dim3 a = g.grid.at(ticket - g.ticket_base), b = x.block->index, size = g.cluster;
  return a.x / size.x == b.x / size.x && a.y / size.y == b.y / size.y && a.z / size.z == b.z / size.z;
}

void check_peers_at_end(Exec& x, Block& b) {
  const Cluster& c = *b.cluster;
  if (c.signals) return;
  for (const auto& [key, noted] : c.peers) {
    if (key >> 32 != b.cluster_rank) continue;
    const bool write = noted.write.any;
    const Cluster::PeerAccess& a = write ? noted.write : noted.read;
    const auto& owners = x.program->accesses();
    if (a.access >= owners.size() || !x.machine->wanted(finding_key(Check::peer_end, a.access))) continue;
    Diagnostic d;
    d.kind = FindingKind::race;
    d.where = place_of(*x.program, owners[a.access].function, owners[a.access].ptx);
    d.kernel = b.grid->code->fn->demangled;
    const Block* by = member(c, a.rank);
    const Dim3 thread = b.grid->block.at(a.thread);
    if (by) d.block = by->index;
    d.thread = thread;
    d.message = fmt::format(
        "{} may end, and with it its shared memory, while {}{} {} it. End the kernel with cluster.sync().",
        block_name(b.grid->grid, b.index), thread_name(b.grid->block, thread),
        by ? " of " + block_name(b.grid->grid, by->index) : "", write ? "writes" : "reads");
    d.message[0] = 'B';
    emit(x, std::move(d));
  }
}

}  // namespace dojo::simt
