// alloca, stacksave, stackrestore: room behind a function's local variables. Lanes that take it together get
// the same offset, as much as the greediest of them asks for.
#include <algorithm>

#include "simt/ops/lanes.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/host_state.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

constexpr uint64_t stack_limit = uint64_t(512) << 10;  ///< bytes a thread, as a GPU allows at most

[[noreturn]] void overflow(const Inst* p, Exec& x) {
  throw RunStopped(
      Status::finding,
      finding(x, p, FindingKind::trap, "The stack overflowed: alloca() asks for more than a thread may have.",
              x.host ? -1 : std::countr_zero(x.mask)));
}

/// a: size; imm: alignment; wide: bit 0 the size is 64 bits.
const Inst* take(const Inst* p, Exec& x) {
  auto size_of = [&](uint32_t l) {
    return p->wide & 1 ? uint64_t(x.slot<u64a>(p->a)[l]) : uint64_t(x.slot<u32a>(p->a)[l]);
  };
  auto up = [&](uint64_t v) { return (v + p->imm - 1) & ~(p->imm - 1); };
  if (x.host) {
    HostState& h = *x.host;
    const uint64_t at = up(h.stack_top), n = size_of(0);
    if (n > h.stack->size || at + n > h.stack->size) overflow(p, x);
    h.stack_top = (at + n + 15) & ~uint64_t(15);
    x.slot<u64a>(p->d)[0] = h.stack->base + at;
    return p + 1;
  }
  uint64_t most = 0;
  DOJO_FOR_LANES(l, x.mask) most = std::max<uint64_t>(most, size_of(l));
  if (most > stack_limit) overflow(p, x);
  const uint64_t at = up(x.frame->local_end()), end = (at + most + 15) & ~uint64_t(15);
  if (end > stack_limit) overflow(p, x);
  x.frame->alloca_bytes += end - x.frame->local_end();
  DOJO_FOR_LANES(l, x.mask) {
    if (p->wide & 2)
      x.slot<u64a>(p->d)[l] = at;
    else
      x.slot<u32a>(p->d)[l] = uint32_t(at);
  }
  return p + 1;
}
void alloca_decode(Decoder& d) {
  bool wide = false;
  const uint32_t a = d.src_any(d.op(1), &wide);
  const uint64_t align = d.operands() > 2 ? d.op(2).value : 8;
  if (!align || align > 4096 || (align & (align - 1))) d.refuse("this alignment");
  const bool result_wide = ptx::bits(d.type()) == 64;
  if (d.host && !result_wide) d.refuse("32-bit addresses");
  Inst& i = d.emit(take, d.dst(0, result_wide ? Type::b64 : Type::b32), a);
  i.imm = std::max<uint64_t>(align, 8);
  i.wide = uint8_t((wide ? 1 : 0) | (result_wide ? 2 : 0));
}

template <class T>
const Inst* save(const Inst* p, Exec& x) {
  const T v = T(x.host ? x.host->stack_top : x.frame->alloca_bytes);
  DOJO_FOR_LANES(l, x.host ? 1u : x.mask) x.slot<Slot<T>>(p->d)[l] = v;
  return p + 1;
}
template <class T>
const Inst* restore(const Inst* p, Exec& x) {
  if (x.host) {
    x.host->stack_top = std::min<uint64_t>(x.host->stack_top, x.slot<Slot<T>>(p->a)[0]);
    return p + 1;
  }
  // Lanes that are elsewhere keep what they took.
  if (x.mask != x.frame->lanes) return p + 1;
  uint64_t most = 0;
  DOJO_FOR_LANES(l, x.mask) most = std::max<uint64_t>(most, x.slot<Slot<T>>(p->a)[l]);
  x.frame->alloca_bytes = std::min(x.frame->alloca_bytes, most);
  return p + 1;
}
void save_decode(Decoder& d) {
  const bool wide = ptx::bits(d.type()) == 64;
  d.emit(wide ? save<uint64_t> : save<uint32_t>, d.dst(0, wide ? Type::b64 : Type::b32));
}
void restore_decode(Decoder& d) {
  const bool wide = ptx::bits(d.type()) == 64;
  const uint32_t a = d.src(0, wide ? Type::b64 : Type::b32);
  d.emit(wide ? restore<uint64_t> : restore<uint32_t>, 0, a);
}

constexpr Family kStackFamilies[] = {{"alloca", c_any, alloca_decode},
                                     {"stacksave", c_any, save_decode},
                                     {"stackrestore", c_any, restore_decode}};

}  // namespace

std::span<const Family> stack_families() { return kStackFamilies; }

}  // namespace dojo::simt
