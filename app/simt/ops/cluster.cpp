// Blocks of a cluster, and launches that follow each other: addresses and ranks (mapa, getctarank), the
// cluster's barrier, programmatic dependent launches (griddepcontrol). And nanosleep.
#include <algorithm>

#include "simt/checks/shadow_cluster.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {

namespace {

using ptx::Type;

/// mapa: the address of the same place in another block of the cluster; `Alone`: in the block itself.
template <bool Alone>
void cluster_address(const Inst* p, Exec& x, uint32_t l) {
  const uint64_t a = lane_address(x, p->a, p->wide & 1, l);
  uint64_t rank = Alone ? x.block->cluster_rank : x.slot<u32a>(p->b)[l];
  // A rank that 32 bits can't hold must not wrap to the block's own: no cluster has 255 blocks.
  if (!(p->wide & 1)) rank = std::min<uint64_t>(rank, 254);
  const uint64_t offset = offset_in_cta(plain_shared(a));
  const uint64_t r = (p->sub                          ? 0
                      : window::in(a, window::shared) ? window::shared
                                                      : 0) +
                     ((rank + 1) << window::cta_shift) + offset;
  if (p->wide & 1)
    x.slot<u64a>(p->d)[l] = r;
  else
    x.slot<u32a>(p->d)[l] = uint32_t(r);
}
template <bool Alone = false>
void mapa(Decoder& d) {
  if (d.host) d.refuse("a block's shared memory in host code");
  const bool wide = ptx::bits(d.type()) == 64;
  uint32_t a = d.src(1, wide ? Type::b64 : Type::b32), b = d.src(2, Type::b32);
  Inst& i = d.emit(per_lane<cluster_address<Alone>>, d.dst(0, wide ? Type::b64 : Type::b32), a, b);
  i.wide = wide;
  i.sub = d.has("shared::cluster");
}
void cluster_rank(const Inst* p, Exec& x, uint32_t l) {
  const uint64_t a = lane_address(x, p->a, p->wide & 1, l);
  const uint64_t rank = cta_of(plain_shared(a));
  x.slot<u32a>(p->d)[l] = rank ? uint32_t(rank - 1) : x.block->cluster_rank;
}
void getctarank(Decoder& d) {
  if (d.host) d.refuse("a block's rank in host code");
  const bool wide = ptx::bits(d.type()) == 64;
  uint32_t a = d.src(1, wide ? Type::b64 : Type::b32);
  d.emit(per_lane<cluster_rank>, d.dst(0, Type::b32), a).wide = wide;
}

/// griddepcontrol.launch_dependents lets the next launch start; .wait is satisfied by the order in which
/// launches are admitted (the machine starts a dependent launch's blocks once all blocks before it
/// triggered).
const Inst* trigger(const Inst* p, Exec& x) {
  if (!x.block->triggered) {
    x.block->triggered = true;
    ++x.grid->triggered;
  }
  return p + 1;
}
const Inst* wait_for_launches(const Inst* p, Exec& x) {
  if (x.grid->waits_for_finish && !x.grid->waits_for_finish()) return suspend(p, x, Wait::wait_group);
  x.block->waited = true;
  return p + 1;
}
void griddepcontrol(Decoder& d) {
  if (d.host) d.refuse("griddepcontrol in host code");
  Inst& i = d.emit(d.ins->meaning.side == ptx::Side::wait ? wait_for_launches : trigger);
  if (d.ins->meaning.side == ptx::Side::wait) i.kind = Kind::sync;
}
/// A warp that sleeps lets others run: four naps end its time slice. Until then the spin check can see that
/// nothing changes from nap to nap.
const Inst* nap(const Inst* p, Exec& x) {
  x.slice -= x.quantum / 4;
  return p + 1;
}
void nanosleep(Decoder& d) { d.emit(nap); }

constexpr Family kClusterFamilies[] = {
    {"nanosleep", c_any, nanosleep},
    {"griddepcontrol", c_any, griddepcontrol},
    {"mapa", c_any, mapa},
    {"getctarank", c_any, getctarank},
};
constexpr Family kMapaAlone = {"mapa", c_any, mapa<true>};

}  // namespace

/// barrier.cluster.arrive / .wait: sub 0 arrive, 1 wait.
const Inst* run_cluster_barrier(const Inst* p, Exec& x) {
  Cluster* c = x.block->cluster;
  if (!c) return p + 1;
  if (p->sub == 0) {
    x.warp->cluster_phase = c->phase;
    c->arrived += uint32_t(std::popcount(x.mask));
    end_phase_if_all_came(*c, x.grid->threads);
    return p + 1;
  }
  if (c->phase == x.warp->cluster_phase) return suspend(p, x, Wait::wait_group);
  x.block->peers_started = true;
  x.warp->sync_stamp = x.warp->epoch = x.block->stamp;
  return p + 1;
}
void cluster_barrier_decode(Decoder& d) {
  if (d.host) d.refuse("a barrier in host code");
  Inst& i = d.emit(run_cluster_barrier);
  i.kind = Kind::sync;
  i.sub = d.has("wait");
}

std::span<const Family> cluster_families() { return kClusterFamilies; }
const Family& mapa_alone() { return kMapaAlone; }

}  // namespace dojo::simt
