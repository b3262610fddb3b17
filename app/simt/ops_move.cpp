// mov, cvta, special registers, and addresses that depend on the frame or the block.
#include "simt/lanes.hpp"
#include "simt/machine_impl.hpp"

namespace dojo::simt {

void decode_special(Decoder&, const std::string&, uint32_t, ptx::Type);
void decode_frame_param(Decoder&, const ptx::Operand&, uint64_t, uint32_t);

namespace {

using ptx::OperandKind;
using ptx::Type;

template <class T>
struct Copy {
  using D = T;
  using A = T;
  static T f(T a) { return a; }
};
template <class T, int Shift>
struct Part {  // bits [Shift, Shift + 16 or 32) of a
  using D = uint32_t;
  using A = T;
  static uint32_t f(T a) { return uint32_t(a >> Shift); }
};
template <int Shift>
struct Half16 {
  using D = uint16_t;
  using A = uint64_t;
  static uint16_t f(uint64_t a) { return uint16_t(a >> Shift); }
};
template <int Shift>
struct Half16Of32 {
  using D = uint16_t;
  using A = uint32_t;
  static uint16_t f(uint32_t a) { return uint16_t(a >> Shift); }
};
struct Join16 {
  using D = uint32_t;
  using A = uint16_t;
  using B = uint16_t;
  static uint32_t f(uint16_t a, uint16_t b) { return uint32_t(b) << 16 | a; }
};
struct Join32 {
  using D = uint64_t;
  using A = uint32_t;
  using B = uint32_t;
  static uint64_t f(uint32_t a, uint32_t b) { return uint64_t(b) << 32 | a; }
};
struct Plus {
  using D = uint64_t;
  using A = uint64_t;
  using B = uint64_t;
  static uint64_t f(uint64_t a, uint64_t b) { return a + b; }
};

void mov(Decoder& d) {
  Type t = d.type();
  const ptx::Operand &to = d.op(0), &from = d.op(1);
  const int n = ptx::bits(t);
  if (n == 128) d.refuse("128-bit moves");
  if (to.kind == OperandKind::list) {
    const size_t parts = to.items.size();
    uint32_t a = d.src(from, t);
    for (size_t i = 0; i < parts; ++i) {
      if (to.items[i].kind == OperandKind::sink) continue;
      if (n == 64 && parts == 2)
        d.emit(i ? unary<Part<uint64_t, 32>> : unary<Part<uint64_t, 0>>, d.dst(to.items[i], Type::b32), a);
      else if (n == 64 && parts == 4)
        d.emit(i == 0   ? unary<Half16<0>>
               : i == 1 ? unary<Half16<16>>
               : i == 2 ? unary<Half16<32>>
                        : unary<Half16<48>>,
               d.dst(to.items[i], Type::b16), a);
      else if (n == 32 && parts == 2)
        d.emit(i ? unary<Half16Of32<16>> : unary<Half16Of32<0>>, d.dst(to.items[i], Type::b16), a);
      else
        d.refuse("a move into this many parts");
    }
    return;
  }
  if (from.kind == OperandKind::list) {
    const size_t parts = from.items.size();
    if (n == 64 && parts == 2) {
      uint32_t a = d.src(from.items[0], Type::b32), b = d.src(from.items[1], Type::b32);
      d.emit(binary<Join32>, d.dst(0, t), a, b);
    } else if (n == 32 && parts == 2) {
      uint32_t a = d.src(from.items[0], Type::b16), b = d.src(from.items[1], Type::b16);
      d.emit(binary<Join16>, d.dst(0, t), a, b);
    } else if (n == 64 && parts == 4) {
      uint32_t low = d.temp(false), high = d.temp(false);
      uint32_t a = d.src(from.items[0], Type::b16), b = d.src(from.items[1], Type::b16);
      d.emit(binary<Join16>, low, a, b);
      a = d.src(from.items[2], Type::b16), b = d.src(from.items[3], Type::b16);
      d.emit(binary<Join16>, high, a, b);
      d.emit(binary<Join32>, d.dst(0, t), low, high);
    } else {
      d.refuse("a move of this many parts");
    }
    return;
  }
  if (from.kind == OperandKind::special) {
    // The type may be narrower or wider than the register ("mov.u32 %r, %clock64" reads the low half).
    const bool wide = ptx::bits(d.reg_type(to)) == 64;
    decode_special(d, from.name, d.dst(to, wide ? Type::u64 : Type::u32), wide ? Type::u64 : Type::u32);
    return;
  }
  uint32_t a = d.src(from, t);
  d.emit(n == 64 ? unary<Copy<uint64_t>> : unary<Copy<uint32_t>>, d.dst(0, t), a);
}

void cvta(Decoder& d) {
  const bool to = d.has("to");
  const ptx::Space s = d.space();
  uint64_t base = 0;
  if (!d.host) {
    if (s == ptx::Space::shared) base = window::shared;
    if (s == ptx::Space::local) base = window::local;
    if (s == ptx::Space::param) base = window::param;
  }
  Type t = d.type();
  if (ptx::bits(t) == 32 && base) d.refuse("32-bit generic addresses");
  uint32_t a = d.src(1, t);
  if (!base) {
    d.emit(ptx::bits(t) == 64 ? unary<Copy<uint64_t>> : unary<Copy<uint32_t>>, d.dst(0, t), a);
    return;
  }
  d.emit(binary<Plus>, d.dst(0, t), a, d.constant(to ? uint64_t(0) - base : base, true));
}

const Inst* isspacep(const Inst* p, Exec& x) {
  uint32_t r = 0;
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t a = x.slot<u64a>(p->a)[l];
    const bool shared = window::in(a, window::shared), local = window::in(a, window::local),
               param = window::in(a, window::param);
    bool yes = false;
    switch (p->space) {
      case ptx::Space::shared:
        yes = shared;
        break;
      case ptx::Space::local:
        yes = local;
        break;
      case ptx::Space::param:
        yes = param;
        break;
      case ptx::Space::constant: {
        Region* region = x.memory->find(a);
        yes = region && region->owner == Owner::constant;
        break;
      }
      default:
        yes = !shared && !local && !param;
        break;
    }
    r |= uint32_t(yes) << l;
  }
  uint32_t& d = x.pred(p->d);
  d = (d & ~x.mask) | r;
  return p + 1;
}
void isspacep_decode(Decoder& d) {
  uint32_t a = d.src(1, Type::b64);
  d.emit(isspacep, d.pred_dst(d.op(0)), a).space = d.space();
}

// ---- special registers ---------------------------------------------------------------------------------
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
      {"%current_graph_exec", current_graph_exec},
  };
  return names;
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
      return uint64_t(machine_warps_per_sm(x));
    case smid:
      return uint64_t(b.sm);
    case nsmid:
      return uint64_t(machine_sms(x));
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
      return g.shared_bytes;
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
      return c.count() > 1;
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

const Inst* local_address(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  const uint64_t v = x.frame->local_base + p->imm;
  if (x.host)
    d[0] = v;
  else
    DOJO_FOR_LANES(l, x.mask) d[l] = v;
  return p + 1;
}
const Inst* dynamic_shared(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = x.grid->dynamic_base + p->imm;
  return p + 1;
}
/// Parameters of a kernel: an offset in the parameter block. Others live in the frame and have no address.
const Inst* param_address(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = p->imm;
  return p + 1;
}

constexpr Family families[] = {{"mov", c_bits | c_int | c_f32 | c_f64 | c_half, mov},
                               {"cvta", c_any, cvta},
                               {"isspacep", c_any, isspacep_decode}};

}  // namespace

void decode_special(Decoder& d, const std::string& name, uint32_t dst, Type t) {
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
void decode_local_address(Decoder& d, uint64_t offset, uint32_t dst) {
  d.emit(local_address, dst).imm = offset;
}
void decode_dynamic_shared(Decoder& d, uint64_t offset, uint32_t dst) {
  if (d.host) d.refuse("shared memory in host code");
  d.emit(dynamic_shared, dst).imm = offset;
}
void decode_param_address(Decoder& d, const ptx::Operand& o, uint64_t offset, uint32_t dst) {
  if (o.symbol == ptx::SymbolKind::param && d.fn.kernel) {
    d.emit(param_address, dst).imm = d.fn.params[size_t(o.target)].offset + offset;
    return;
  }
  decode_frame_param(d, o, offset, dst);
}

std::span<const Family> move_families() { return families; }

}  // namespace dojo::simt
