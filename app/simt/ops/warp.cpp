// Exchanges between the lanes of a warp: shfl, vote, match, redux, activemask, elect.
#include <fmt/format.h>

#include "simt/ops/arithmetic/rare_paths.hpp"
#include "simt/ops/members.hpp"

namespace dojo::simt {
namespace {

using ptx::OperandKind;
using ptx::Type;

enum ShflMode : uint8_t { up, down, bfly, idx };

/// For each lane the lane that it reads: -1 in `ok` where that lies within its segment, else its own.
struct Sources {
  alignas(64) int32_t lane[32];
  alignas(64) int32_t ok[32];
};
/// One loop without branches per mode, which compilers turn into vectors. Lanes that do not run get a source
/// too.
template <ShflMode M>
void find_sources(const u32a* arguments, const u32a* clamps, Sources& s) {
#pragma GCC ivdep
  for (int32_t l = 0; l < 32; ++l) {
    const int32_t arg = int32_t(arguments[l] & 31), clamp = int32_t(clamps[l] & 31);
    const int32_t segment = int32_t(clamps[l] >> 8 & 31);
    const int32_t low = l & segment, high = low | (clamp & ~segment);
    const int32_t j = M == up ? l - arg : M == down ? l + arg : M == bfly ? l ^ arg : low | (arg & ~segment);
    const bool ok = M == up ? j >= high : j <= high;
    s.lane[l] = ok ? j : l;
    s.ok[l] = -int32_t(ok);
  }
}

/// a: value, b: lane argument, c: clamp and segment; target: member mask slot; imm: predicate slot + 1.
void shuffle(const Inst* p, Exec& x) {
  const u32a *b = x.slot<u32a>(p->b), *c = x.slot<u32a>(p->c);
  alignas(64) uint32_t v[32];
  std::memcpy(v, x.slot<u32a>(p->a), 128);
  u32a* d = x.slot<u32a>(p->d);
  const uint32_t mask = x.mask, live = x.live;
  Sources from;
  constexpr void (*finders[])(const u32a*, const u32a*, Sources&) = {find_sources<up>, find_sources<down>,
                                                                     find_sources<bfly>, find_sources<idx>};
  finders[p->sub](b, c, from);
  const uint32_t inside = simd::bits32(from.ok);
  uint32_t missing = 0;
  if (mask == ~0u) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) d[l] = v[from.lane[l]];
  } else {
    alignas(64) int32_t there[32];
    for (int l = 0; l < 32; ++l) there[l] = -int32_t(mask >> from.lane[l] & 1);
    missing = mask & ~simd::bits32(there);
    DOJO_FOR_LANES(l, mask) {
      const bool defined = !(missing >> l & 1) || !x.undefined;
      d[l] = defined ? v[from.lane[l]] : x.undefined->even_keep && l % 2 == 0 ? v[l] : x.undefined->bits;
    }
  }
  if (p->imm) {
    uint32_t& q = x.pred(uint32_t(p->imm) - 1);
    q = (q & ~mask) | (inside & mask);
  }
  if (missing && x.checks) {
    const uint32_t l = uint32_t(std::countr_zero(missing));
    Diagnostic d = finding(
        x, p, FindingKind::undefined_lane,
        fmt::format(
            "Lane {} reads a lane that takes no part in the shuffle (it {}), so the value is undefined. "
            "Read only lanes that the mask names, and let all of them reach the shuffle.",
            l, (live & ~mask) ? "is elsewhere or has ended" : "has ended or doesn't exist"),
        int(l));
    if (x.undefined) d.severity = Severity::warning;
    emit(x, std::move(d));
  }
}
const Inst* shfl(const Inst* p, Exec& x) {
  if (p->flags & 1) {
    shuffle(p, x);
    return p + 1;
  }
  return by_members(p, x, uint32_t(p->target), [&](uint32_t) { shuffle(p, x); });
}
/// A result "d" or "d|p". `predicate`: one more than the number of p's slot; 0 without p, and where it is a
/// sink.
struct ValueAndPredicate {
  const ptx::Operand* value;
  uint32_t predicate;
};
ValueAndPredicate value_and_predicate(Decoder& d) {
  const ptx::Operand& out = d.op(0);
  if (out.kind != OperandKind::list) return {&out, 0};
  const bool kept = out.items.size() > 1 && out.items[1].kind != OperandKind::sink;
  return {&out.items.at(0), kept ? d.pred_dst(out.items[1]) + 1 : 0};
}
void shfl_decode(Decoder& d) {
  if (d.host) d.refuse("a shuffle in host code");
  const bool sync = d.has("sync");
  const auto [value, pred] = value_and_predicate(d);
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  uint32_t m = sync ? d.src(4, Type::b32) : a;
  Inst& i = d.emit(shfl, d.dst(*value, Type::b32), a, b, c);
  i.kind = Kind::sync;
  i.target = int32_t(m);
  i.imm = pred;
  i.sub = d.has("up") ? up : d.has("down") ? down : d.has("bfly") ? bfly : idx;
  i.flags = sync ? 0 : 1;
}

enum VoteMode : uint8_t { all, any, uni, ballot };

void vote_among(const Inst* p, Exec& x, uint32_t members) {
  const uint32_t who = x.mask & members;
  uint32_t pred = x.pred(p->a);
  if (p->flags & 2) pred = ~pred;
  pred &= who;
  if (p->sub == ballot) {
    u32a* d = x.slot<u32a>(p->d);
    DOJO_FOR_LANES(l, x.mask) d[l] = pred;
    return;
  }
  const bool r = p->sub == all ? pred == who : p->sub == any ? pred != 0 : pred == 0 || pred == who;
  uint32_t& d = x.pred(p->d);
  d = r ? d | x.mask : d & ~x.mask;
}
const Inst* vote(const Inst* p, Exec& x) {
  if (p->flags & 1) {
    vote_among(p, x, x.mask);
    return p + 1;
  }
  return by_members(p, x, p->c, [&](uint32_t members) { vote_among(p, x, members); });
}
void vote_decode(Decoder& d) {
  if (d.host) d.refuse("a vote in host code");
  const bool sync = d.has("sync");
  ptx::Operand pred = d.op(1);
  const bool negated = pred.negated;
  pred.negated = false;
  uint32_t a = d.pred_src(pred), m = sync ? d.src(2, Type::b32) : 0;
  const uint8_t mode = d.has("all") ? all : d.has("any") ? any : d.has("uni") ? uni : ballot;
  Inst& i = d.emit(vote, mode == ballot ? d.dst(0, Type::b32) : d.pred_dst(d.op(0)), a, 0, m);
  i.kind = Kind::sync;
  i.sub = mode;
  i.flags = uint8_t((sync ? 0 : 1) | (negated ? 2 : 0));
}

template <class T>
const Inst* match(const Inst* p, Exec& x) {
  return by_members(p, x, p->c, [&](uint32_t members) {
    const uint32_t who = x.mask & members;
    uint32_t r[32];
    bool all_same = true;
    DOJO_FOR_LANES(l, x.mask) {
      r[l] = 0;
      DOJO_FOR_LANES(k, who) r[l] |= uint32_t(x.slot<Slot<T>>(p->a)[k] == x.slot<Slot<T>>(p->a)[l]) << k;
      all_same &= r[l] == who;
    }
    u32a* d = x.slot<u32a>(p->d);
    if (p->sub) {
      DOJO_FOR_LANES(l, x.mask) d[l] = all_same ? who : 0;
      if (p->imm) {
        uint32_t& q = x.pred(uint32_t(p->imm) - 1);
        q = all_same ? q | x.mask : q & ~x.mask;
      }
    } else {
      DOJO_FOR_LANES(l, x.mask) d[l] = r[l];
    }
  });
}
void match_decode(Decoder& d) {
  if (d.host) d.refuse("a match in host code");
  const auto [value, pred] = value_and_predicate(d);
  const bool wide = ptx::bits(d.type()) == 64;
  uint32_t a = d.src(1, d.type()), m = d.src(2, Type::b32);
  Inst& i = d.emit(wide ? match<uint64_t> : match<uint32_t>, d.dst(*value, Type::b32), a, 0, m);
  i.kind = Kind::sync;
  i.sub = d.has("all");
  i.imm = pred;
}

enum ReduxMode : uint8_t { r_add, r_min, r_max, r_and, r_or, r_xor, r_float };
/// redux.f32. flags: 1 NaN wins, 2 of the magnitudes.
uint32_t least_or_greatest(uint32_t a, uint32_t b, bool max, uint8_t flags) {
  if (flags & 2) a &= 0x7fffffff, b &= 0x7fffffff;
  const float u = std::bit_cast<float>(a), v = std::bit_cast<float>(b);
  if (u != u || v != v) return (flags & 1) || (u != u && v != v) ? 0x7fffffffu : u != u ? b : a;
  if (u == v) return max == bool(a >> 31) ? b : a;  // -0 below +0
  return (u < v) != max ? a : b;
}
void redux_among(const Inst* p, Exec& x, uint32_t members) {
  const uint32_t who = x.mask & members;
  const u32a* a = x.slot<u32a>(p->a);
  bool first = true;
  uint32_t r = 0;
  const bool sign = p->type == Type::s32;
  DOJO_FOR_LANES(l, who) {
    const uint32_t v = a[l];
    if (first)
      r = p->type == Type::f32 && (p->flags & 2) ? v & 0x7fffffff : v;
    else
      switch (p->type == Type::f32 ? uint8_t(r_float) : p->sub) {
        case r_float:
          r = least_or_greatest(r, v, p->sub == r_max, p->flags);
          break;
        case r_add:
          r += v;
          break;
        case r_min:
          r = sign ? uint32_t(std::min(int32_t(r), int32_t(v))) : std::min(r, v);
          break;
        case r_max:
          r = sign ? uint32_t(std::max(int32_t(r), int32_t(v))) : std::max(r, v);
          break;
        case r_and:
          r &= v;
          break;
        case r_or:
          r |= v;
          break;
        default:
          r ^= v;
          break;
      }
    first = false;
  }
  if (p->type == Type::f32 && std::bit_cast<float>(r) != std::bit_cast<float>(r)) r = 0x7fffffff;
  u32a* d = x.slot<u32a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = r;
}
/// Lanes with different masks: ptxas's code compares the masks and goes to a way of its own, where WARPSYNC
/// lets one group of lanes go on after another, five instructions each; one more leads back. (The kernel
/// `qe_group_by_match` of tests/zoo: 207,760 instructions on an H100 beyond those of the common way, 207,480
/// by this.) Each further group takes 96 cycles (tests/microbench/groups.cu). There the machine code has no
/// common way, and four instructions per group.
rare::Way way_of_groups(uint32_t groups) {
  constexpr uint32_t group_cycles = 96;
  return {uint16_t(5 * groups + 1), uint16_t(group_cycles * (groups - 1))};
}

const Inst* redux(const Inst* p, Exec& x) {
  const u32a* masks = x.slot<u32a>(p->c);
  const uint32_t lanes = x.mask;
  uint32_t groups = 0;
  for (uint32_t left = lanes; left; ++groups) {
    const uint32_t mask = masks[std::countr_zero(left)];
    DOJO_FOR_LANES(l, left) if (masks[l] == mask) left &= ~(1u << l);
  }
  const Inst* next = by_members(p, x, p->c, [&](uint32_t members) { redux_among(p, x, members); });
  if (next && groups > 1 && x.mask == lanes) {
    const rare::Way way = way_of_groups(groups);
    rare::took(x, p, lanes, way);
    // A group's instructions are of its own lanes.
    x.access[p->access].rare_lanes -= uint64_t(way.instructions - 6) * uint64_t(std::popcount(lanes));
  }
  return next;
}
void redux_decode(Decoder& d) {
  if (d.host) d.refuse("redux in host code");
  const bool real = d.type() == Type::f32;
  if (real && !d.has("min") && !d.has("max")) d.refuse("redux of this type");
  uint32_t a = d.src(1, Type::b32), m = d.src(2, Type::b32);
  Inst& i = d.emit(redux, d.dst(0, Type::b32), a, 0, m);
  i.access = d.access();
  i.kind = Kind::sync;
  i.flags = uint8_t((d.has("NaN") ? 1 : 0) | (d.has("abs") ? 2 : 0));
  i.type = d.type();
  i.sub = d.has("add")   ? r_add
          : d.has("min") ? r_min
          : d.has("max") ? r_max
          : d.has("and") ? r_and
          : d.has("or")  ? r_or
                         : r_xor;
}
const Inst* activemask(const Inst* p, Exec& x) {
  u32a* d = x.slot<u32a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = x.mask;
  return p + 1;
}
void activemask_decode(Decoder& d) { d.emit(activemask, d.dst(0, Type::b32)); }

const Inst* elect(const Inst* p, Exec& x) {
  return by_members(p, x, p->c, [&](uint32_t members) {
    const uint32_t who = x.mask & members;
    const uint32_t leader = uint32_t(std::countr_zero(who ? who : x.mask));
    u32a* d = x.slot<u32a>(p->d);
    DOJO_FOR_LANES(l, x.mask) d[l] = leader;
    uint32_t& q = x.pred(uint32_t(p->imm));
    q = (q & ~x.mask) | (1u << leader & x.mask);
  });
}
void elect_decode(Decoder& d) {
  if (d.host) d.refuse("elect in host code");
  const ptx::Operand& out = d.op(0);
  if (out.kind != OperandKind::list || out.items.size() != 2) d.refuse("elect without a predicate");
  uint32_t m = d.src(1, Type::b32);
  uint32_t value = out.items[0].kind == OperandKind::sink ? d.temp(false) : d.dst(out.items[0], Type::b32);
  Inst& i = d.emit(elect, value, 0, 0, m);
  i.kind = Kind::sync;
  i.imm = d.pred_dst(out.items[1]);
}

constexpr Family kWarpFamilies[] = {{"shfl", c_any, shfl_decode},
                                    {"vote", c_any, vote_decode},
                                    {"match", c_any, match_decode},
                                    {"redux", c_any, redux_decode},
                                    {"activemask", c_any, activemask_decode},
                                    {"elect", c_any, elect_decode}};

}  // namespace

std::span<const Family> warp_families() { return kWarpFamilies; }

}  // namespace dojo::simt
