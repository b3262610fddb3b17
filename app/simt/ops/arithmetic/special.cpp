// Special registers.
#include "core/collections/rounding.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

enum Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  laneid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,  // by lane
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  clock_,
  clock_hi,
  clock64_,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  envreg1,
  envreg2,
  zero_,
  current_graph_exec,
  reserved_smem_begin,
  reserved_smem_end,
  reserved_smem_cap,
  reserved_smem_1,
};
const std::map<std::string, Special>& special_names() {
  static const std::map<std::string, Special> names = {
      {"%tid.x", tid_x},
      {"%tid.y", tid_y},
      {"%tid.z", tid_z},
      {"%laneid", laneid},
      {"%lanemask_eq", lanemask_eq},
      {"%lanemask_le", lanemask_le},
      {"%lanemask_lt", lanemask_lt},
      {"%lanemask_ge", lanemask_ge},
      {"%lanemask_gt", lanemask_gt},
      {"%ntid.x", ntid_x},
      {"%ntid.y", ntid_y},
      {"%ntid.z", ntid_z},
      {"%ctaid.x", ctaid_x},
      {"%ctaid.y", ctaid_y},
      {"%ctaid.z", ctaid_z},
      {"%nctaid.x", nctaid_x},
      {"%nctaid.y", nctaid_y},
      {"%nctaid.z", nctaid_z},
      {"%warpid", warpid},
      {"%nwarpid", nwarpid},
      {"%smid", smid},
      {"%nsmid", nsmid},
      {"%gridid", gridid},
      {"%clock", clock_},
      {"%clock_hi", clock_hi},
      {"%clock64", clock64_},
      {"%globaltimer", globaltimer},
      {"%globaltimer_lo", globaltimer_lo},
      {"%globaltimer_hi", globaltimer_hi},
      {"%dynamic_smem_size", dynamic_smem_size},
      {"%total_smem_size", total_smem_size},
      {"%aggr_smem_size", aggr_smem_size},
      {"%reserved_smem_offset_begin", reserved_smem_begin},
      {"%reserved_smem_offset_end", reserved_smem_end},
      {"%reserved_smem_offset_cap", reserved_smem_cap},
      {"%reserved_smem_offset_0", reserved_smem_begin},
      {"%reserved_smem_offset_1", reserved_smem_1},
      {"%clusterid.x", clusterid_x},
      {"%clusterid.y", clusterid_y},
      {"%clusterid.z", clusterid_z},
      {"%nclusterid.x", nclusterid_x},
      {"%nclusterid.y", nclusterid_y},
      {"%nclusterid.z", nclusterid_z},
      {"%cluster_ctaid.x", cluster_ctaid_x},
      {"%cluster_ctaid.y", cluster_ctaid_y},
      {"%cluster_ctaid.z", cluster_ctaid_z},
      {"%cluster_nctaid.x", cluster_nctaid_x},
      {"%cluster_nctaid.y", cluster_nctaid_y},
      {"%cluster_nctaid.z", cluster_nctaid_z},
      {"%cluster_ctarank", cluster_ctarank},
      {"%cluster_nctarank", cluster_nctarank},
      {"%is_explicit_cluster", is_explicit_cluster},
      {"%envreg1", envreg1},
      {"%envreg2", envreg2},
      {"%envreg0", zero_},
      {"%tid.w", zero_},
      {"%ntid.w", zero_},
      {"%ctaid.w", zero_},
      {"%nctaid.w", zero_},
      {"%clusterid.w", zero_},
      {"%nclusterid.w", zero_},
      {"%cluster_ctaid.w", zero_},
      {"%cluster_nctaid.w", zero_},
      {"%current_graph_exec", current_graph_exec},
  };
  return names;
}

/// Shared memory of a block, in the units in which the device gives it out.
uint64_t smem_size(Exec& x, uint64_t bytes) {
  const uint64_t unit = x.machine ? x.machine->smem_granularity() : 1;
  return round_up(bytes, unit);
}

uint64_t uniform_special(Exec& x, uint8_t which) {
  if (x.host) return 0;
  const Grid& g = *x.grid;
  const Block& b = *x.block;
  const Dim3 c = g.cluster;
  // Four cycles an instruction: near enough for code that waits a number of cycles.
  const uint64_t clock = x.executed * 4;
  switch (which) {
    case ntid_x:
      return g.block.x;
    case ntid_y:
      return g.block.y;
    case ntid_z:
      return g.block.z;
    case ctaid_x:
      return b.index.x;
    case ctaid_y:
      return b.index.y;
    case ctaid_z:
      return b.index.z;
    case nctaid_x:
      return g.grid.x;
    case nctaid_y:
      return g.grid.y;
    case nctaid_z:
      return g.grid.z;
    case warpid:
      return x.warp->index;
    case nwarpid:
      return uint64_t(x.machine ? x.machine->warps_per_sm() : 64);
    case smid:
      return uint64_t(b.sm);
    case nsmid:
      return uint64_t(x.machine ? x.machine->sms() : 1);
    case gridid:
      return g.launch + 1;
    case clock_:
      return uint32_t(clock);
    case clock_hi:
      return clock >> 32;
    case clock64_:
      return clock;
    case globaltimer:
      return clock;
    case globaltimer_lo:
      return uint32_t(clock);
    case globaltimer_hi:
      return clock >> 32;
    case dynamic_smem_size:
      return g.node->spec.dynamic_smem;
    case total_smem_size:
      return smem_size(x, g.shared_bytes);
    case aggr_smem_size:
      return smem_size(x, uint64_t(g.shared_bytes) + window::reserved_bytes);
    case reserved_smem_begin:
      return window::reserved;
    case reserved_smem_end:
      return window::reserved + window::reserved_bytes;
    case reserved_smem_cap:
      return window::reserved_bytes;
    case reserved_smem_1:
      return window::reserved + window::reserved_bytes / 2;
    case clusterid_x:
      return b.index.x / c.x;
    case clusterid_y:
      return b.index.y / c.y;
    case clusterid_z:
      return b.index.z / c.z;
    case nclusterid_x:
      return g.grid.x / c.x;
    case nclusterid_y:
      return g.grid.y / c.y;
    case nclusterid_z:
      return g.grid.z / c.z;
    case cluster_ctaid_x:
      return b.index.x % c.x;
    case cluster_ctaid_y:
      return b.index.y % c.y;
    case cluster_ctaid_z:
      return b.index.z % c.z;
    case cluster_nctaid_x:
      return c.x;
    case cluster_nctaid_y:
      return c.y;
    case cluster_nctaid_z:
      return c.z;
    case cluster_ctarank:
      return b.cluster_rank;
    case cluster_nctarank:
      return c.count();
    case is_explicit_cluster:
      return c.count() > 1 || g.code->fn->cluster.count() > 0;
    case envreg1:
      return uint32_t(g.workspace >> 32);
    case envreg2:
      return uint32_t(g.workspace);
    default:
      return 0;
  }
}

template <class T>
const Inst* special_uniform(const Inst* p, Exec& x) {
  const T v = T(uniform_special(x, p->sub));
  auto* d = x.slot<Slot<T>>(p->d);
  if (x.host) {
    d[0] = v;
    return p + 1;
  }
  if (!x.partial)
    for (int i = 0; i < 32; ++i) d[i] = v;
  else
    for (int i = 0; i < 32; ++i) d[i] = x.lanes[i] ? Slot<T>(v) : d[i];
  return p + 1;
}
template <class T>
const Inst* special_lane(const Inst* p, Exec& x) {
  auto* d = x.slot<Slot<T>>(p->d);
  if (x.host) {
    d[0] = 0;
    return p + 1;
  }
  if (p->sub <= tid_z && sizeof(T) == 4 && !x.partial) {
    std::memcpy(d, x.warp->tid[p->sub], 128);
    return p + 1;
  }
  DOJO_FOR_LANES(l, x.mask) {
    const uint32_t bit = 1u << l;
    uint32_t v = 0;
    switch (p->sub) {
      case tid_x:
      case tid_y:
      case tid_z:
        v = x.warp->tid[p->sub][l];
        break;
      case laneid:
        v = l;
        break;
      case lanemask_eq:
        v = bit;
        break;
      case lanemask_le:
        v = bit | (bit - 1);
        break;
      case lanemask_lt:
        v = bit - 1;
        break;
      case lanemask_ge:
        v = ~(bit - 1);
        break;
      case lanemask_gt:
        v = ~(bit - 1) & ~bit;
        break;
    }
    d[l] = v;
  }
  return p + 1;
}

}  // namespace

void decode_special(Decoder& d, const std::string& name, uint32_t dst, ptx::Type t) {
  const auto& names = special_names();
  auto it = names.find(name);
  uint8_t which;
  if (it != names.end())
    which = it->second;
  else if (name.rfind("%envreg", 0) == 0 || name.rfind("%pm", 0) == 0)
    which = zero_;
  else
    d.refuse("the special register " + name);
  const bool wide = ptx::bits(t) == 64, lane = which <= lanemask_gt;
  d.emit(lane ? (wide ? special_lane<uint64_t> : special_lane<uint32_t>)
              : (wide ? special_uniform<uint64_t> : special_uniform<uint32_t>),
         dst)
      .sub = which;
}

}  // namespace dojo::simt
