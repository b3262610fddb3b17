// cp.async: which words of shared memory are under way. A word counts as written when its thread has waited
// for the copy's group (cp.async.wait_group); other threads need a barrier behind that wait, as for any
// write.
//
// The words' tags say so: copy_tag and the number of another thread, so that no access passes as ordered.
#include <algorithm>

#include "simt/checks/shadow.hpp"
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

}  // namespace dojo::simt
