// cp.async: which words of shared memory are under way. A word counts as written when its thread has waited
// for the copy's group (cp.async.wait_group); other threads need a barrier behind that wait, as for any
// write.
//
// The words' tags say so: copy_tag and the number of another thread, so that no access passes as ordered.
#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/race_advice.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

CopiesInFlight& mine(Exec& x) {
  CopiesInFlight& c = x.machine->copies(x.thread);
  if (c.ticket != x.block->ticket) {
    c.ticket = x.block->ticket;
    c.copies.clear();
    c.committed.assign(1024, 0);
  }
  return c;
}

}  // namespace

void note_copy(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, uint32_t bytes) {
  if (!x.checks || x.block->cluster) return;
  CopiesInFlight& c = mine(x);
  SharedShadow& s = x.block->shadow;
  const uint32_t thread = thread_index(x, int(lane));
  const uint32_t other = x.block->threads < 1024 ? 1023 : thread ^ 512;
  c.copies.push_back({thread, c.committed[thread], p->access, offset, bytes});
  for (uint64_t g = offset / s.grain; g <= (offset + bytes - 1) / s.grain; ++g) {
    s.write[g] = copy_tag | other;
    s.writer_inst[g] = p->access;
  }
}

void note_copy_group(Exec& x, uint32_t lanes) {
  if (!x.checks || x.block->cluster) return;
  CopiesInFlight& c = mine(x);
  DOJO_FOR_LANES(l, lanes)++ c.committed[thread_index(x, int(l))];
}

void note_copy_wait(Exec& x, uint32_t lanes, uint32_t left) {
  if (!x.checks || x.block->cluster) return;
  CopiesInFlight& c = mine(x);
  SharedShadow& s = x.block->shadow;
  std::erase_if(c.copies, [&](const CopiesInFlight::Copy& k) {
    if (k.thread / 32 != x.warp->index || !(lanes >> (k.thread & 31) & 1)) return false;
    if (left != ~0u && k.group + left >= c.committed[k.thread]) return false;
    for (uint64_t g = k.offset / s.grain; g <= (k.offset + k.bytes - 1) / s.grain; ++g)
      if (s.write[g] >= copy_tag) s.write[g] = x.warp->epoch << 10 | k.thread;
    return true;
  });
}

const CopiesInFlight::Copy* copy_in_flight(Exec& x, uint64_t offset) {
  for (const CopiesInFlight::Copy& k : mine(x).copies)
    if (offset >= k.offset && offset < k.offset + k.bytes) return &k;
  return nullptr;
}

void note_proxy_fence(Exec& x, uint32_t lanes) {
  next_epoch(x);
  DOJO_FOR_LANES(l, lanes) x.warp->proxy_fence[l] = x.warp->epoch;
}

void check_bulk_store(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, uint64_t bytes) {
  const Block& b = *x.block;
  const SharedShadow& s = b.shadow;
  if (!bytes || offset + bytes > b.shared_bytes) return;
  const uint32_t me = thread_index(x, int(lane));
  for (uint64_t g = offset / s.grain; g <= (offset + bytes - 1) / s.grain; ++g) {
    const uint32_t tag = s.write[g], stamp = tag >> 10, writer = tag & 1023;
    // Equal to first_stamp << 10: written by a bulk load.
    if (tag >= copy_tag || stamp < b.first_stamp || tag == b.first_stamp << 10) continue;
    if (writer / 32 >= b.warps.size()) continue;
    const bool ordered = writer == me || stamp < b.barrier_stamp ||
                         (writer / 32 == x.warp->index && stamp < x.warp->sync_stamp);
    const bool fenced = b.warps[writer / 32]->proxy_fence[writer % 32] > stamp ||
                        (ordered && x.warp->proxy_fence[lane] > stamp);
    if (ordered && fenced) continue;
    const uint32_t access = s.writer_inst[g] & 0x7fffffffu;
    if (!x.machine->wanted(finding_key(Check::bulk_store, p->access, access))) return;
    const OtherSide o = other_side(x, x.block, writer, access, true);
    Diagnostic d = finding(
        x, p, FindingKind::race,
        fmt::format("Race: the bulk copy that {} starts reads the shared memory that {} writes. {}",
                    lane_name(x, lane), o.name,
                    ordered ? "Put fence.proxy.async (cuda::ptx::fence_proxy_async) behind the write: bulk "
                              "copies read through another proxy."
                            : "Put fence.proxy.async and then __syncthreads() between them."),
        int(lane));
    d.related.push_back(other_place(x, o));
    emit(x, std::move(d));
    return;
  }
}

}  // namespace dojo::simt
