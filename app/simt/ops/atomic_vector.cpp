// Vector atomics (each element by itself, as PTX says) and atomics on 128 bits.
#include "simt/checks/shadow.hpp"
#include "simt/ops/atomics.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/spins.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace {

using ptx::Space;
using ptx::Type;

/// Where each active lane's bytes are; faults, counts and checks the access. `address` gets plain addresses,
/// the result says which lanes are in shared memory.
uint32_t atomic_places(const Inst* p, Exec& x, uint32_t bytes, uint64_t* address, std::byte** where) {
  AccessCount& c = x.access[p->access];
  uint32_t shared = 0;
  DOJO_FOR_LANES(l, x.mask) {
    address[l] = lane_address(x, p->a, p->wide & 1, l, p->imm);
    if (p->space == Space::shared)
      shared |= 1u << l;
    else if (!x.host && p->space == Space::none && window::in(address[l], window::shared))
      address[l] -= window::shared, shared |= 1u << l;
    const bool in_shared = shared >> l & 1;
    where[l] = in_shared ? shared_bytes(x, address[l], address[l] + bytes)
                         : global_bytes(x, c, address[l], address[l] + bytes, true, x.log_reds);
    if (!where[l] || (address[l] & (bytes - 1)))
      bad_access(x, p, address[l], bytes, l, true, in_shared ? Space::shared : Space::global);
  }
  if (x.host) return 0;
  for (bool in_shared : {true, false}) {
    const uint32_t mask = x.mask & (in_shared ? shared : ~shared);
    if (!mask) continue;
    Span s;
    find_span(s, address, mask);
    if (in_shared) {
      count_shared(x, p, c, s);
      if (x.checks) check_shared(x, p, s, bytes, true, true);
    } else {
      count_global(x, p, c, s, LineAccess::atomic);
      if (x.checks) check_global(x, p, c, s, bytes, true, true);
    }
  }
  return shared;
}

/// lists: destinations (empty: unused), sources.
const Inst* vector_atomic(const Inst* p, Exec& x) {
  const uint32_t w = p->width;
  const AtomicOp op = in_global(AtomicOp(p->sub));
  const auto &to = x.frame->code->lists[size_t(p->target)],
             &from = x.frame->code->lists[size_t(p->target) + 1];
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  const uint32_t shared = atomic_places(p, x, w * p->count, address, where);
  DOJO_FOR_LANES(l, x.mask)
  for (uint32_t k = 0; k < p->count; ++k) {
    uint64_t b = x.slot<u32a>(from[k])[l], old = 0;
    if (w == 2) b &= 0xffff;
    if (x.log_reds && !(shared >> l & 1)) {
      log_red(x, {address[l] + k * w, b, p->type, uint8_t(op)});
      continue;
    }
    std::memcpy(&old, where[l] + k * w, w);
    const uint64_t next = atomic_result(op, p->type, old, b, 0);
    std::memcpy(where[l] + k * w, &next, w);
    x.wrote |= next != old;
    if (!to.empty()) x.slot<u32a>(to[k])[l] = uint32_t(old);
  }
  return p + 1;
}

/// 128 bits: a register is two planes of 64-bit lanes, the upper one `plane` bytes behind the lower.
const Inst* wide_atomic(const Inst* p, Exec& x) {
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  const uint32_t shared = atomic_places(p, x, 16, address, where), plane = x.host ? 8 : 256;
  DOJO_FOR_LANES(l, x.mask) {
    uint64_t old[2], next[2];
    std::memcpy(old, where[l], 16);
    const uint64_t b[2] = {x.slot<u64a>(p->b)[l], x.slot<u64a>(p->b + plane)[l]};
    const bool same = old[0] == b[0] && old[1] == b[1];
    for (uint32_t h = 0; h < 2; ++h)
      next[h] = p->sub == a_exch ? b[h] : same ? uint64_t(x.slot<u64a>(p->c + h * plane)[l]) : old[h];
    if (next[0] != old[0] || next[1] != old[1]) {
      std::memcpy(where[l], next, 16);
      x.wrote = true;
    } else if (!x.host) {
      watch(x, address[l] + (shared >> l & 1 ? window::shared : 0), 8, where[l]);
    }
    if (p->flags & flag::unused) continue;
    for (uint32_t h = 0; h < 2; ++h) x.slot<u64a>(p->d + h * plane)[l] = old[h];
  }
  return p + 1;
}

}  // namespace

void decode_vector_atomic(Decoder& d) {
  const bool red = d.ins->meaning.op == ptx::Op::red;
  const Type t = d.type();
  const AtomicOp op = atomic_operation(d);
  const uint32_t w = uint32_t(ptx::bits(t) / 8), n = d.has("v2") ? 2 : d.has("v4") ? 4 : 8;
  const bool half = t == Type::f16 || t == Type::bf16 || t == Type::f16x2 || t == Type::bf16x2;
  if (!(t == Type::f32 && op == a_add) && !(half && (op == a_add || op == a_min || op == a_max)))
    d.refuse("a vector atomic of this kind");
  if (w * n > 16) d.refuse("more than 16 bytes");
  const size_t first = red ? 0 : 1;
  const ptx::Operand& source = d.op(first + 1);
  if (source.kind != ptx::OperandKind::list || source.items.size() != n)
    d.refuse("a vector of another length");
  const Type as = t == Type::f32 ? t : w == 2 ? Type::b16 : Type::b32;
  std::vector<uint32_t> to, from;
  for (const ptx::Operand& o : source.items) from.push_back(d.src(o, as));
  if (!red) {
    const ptx::Operand& out = d.op(0);
    if (out.kind != ptx::OperandKind::list || out.items.size() != n) d.refuse("a result of another length");
    for (const ptx::Operand& o : out.items) to.push_back(d.dst(o, as));
  }
  bool wide;
  uint64_t imm;
  const uint32_t a = d.address(d.op(first), &wide, &imm), lists = d.list(std::move(to));
  d.list(std::move(from));
  Inst& i = d.emit(vector_atomic, 0, a);
  i.kind = Kind::memory;
  i.target = int32_t(lists);
  i.imm = imm;
  i.wide = wide;
  i.width = uint8_t(w);
  i.count = uint8_t(n);
  i.type = t;
  i.space = d.space() == Space::none ? Space::global : d.space();
  i.sub = op;
  i.access = d.access();
}

void decode_wide_atomic(Decoder& d) {
  const AtomicOp op = atomic_operation(d);
  if (d.ins->meaning.op == ptx::Op::red || (op != a_exch && op != a_cas))
    d.refuse("this operation on 128 bits");
  bool wide;
  uint64_t imm;
  const uint32_t a = d.address(d.op(1), &wide, &imm), b = d.src(2, Type::b128),
                 c = op == a_cas ? d.src(3, Type::b128) : b;
  const bool unused = d.dst_unused(d.op(0));
  Inst& i = d.emit(wide_atomic, unused ? 0 : d.dst(0, Type::b128), a, b, c);
  i.kind = Kind::memory;
  i.imm = imm;
  i.wide = wide;
  i.width = 8;
  i.count = 2;
  i.type = Type::b128;
  i.space = d.space();
  i.sub = op;
  i.flags = unused ? flag::unused : 0;
  i.access = d.access();
}

}  // namespace dojo::simt
