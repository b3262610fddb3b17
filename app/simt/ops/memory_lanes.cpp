// ld and st of kernels in every state space: 32 lanes at a time.
#include <type_traits>

#include "simt/checks/shadow.hpp"
#include "simt/ops/memory_moves.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/spins.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace {

using namespace moves;
using ptx::Space;

template <int W, bool Store>
void access_shared(const Inst* p, Exec& x, Span& s) {
  const uint32_t bytes = uint32_t(W) * p->count;
  AccessCount& c = x.access[p->access];
  if constexpr (Store) note_store(x);
  if (s.affine && !((s.base | s.stride) & (bytes - 1))) [[likely]] {
    std::byte* at = s.high + bytes > s.high ? shared_bytes(x, s.low, s.high + bytes) : nullptr;
    if (at) [[likely]] {
      count_shared(x, p, c, s);
      if (x.checks) check_shared(x, p, s, bytes, Store);
      if constexpr (Store)
        move_out<W>(x, p, s, at);
      else
        move_in<W>(x, p, s, at);
      if (!Store && (p->flags & flag::strong))
        DOJO_FOR_LANES(l, s.mask) watch(x, window::shared + s.at(l), bytes, at + (s.at(l) - s.low));
      return;
    }
  }
  std::byte* where[32];
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t a = s.at(l);
    if (a & (bytes - 1)) bad_access(x, p, a, bytes, l, Store, Space::shared);
    where[l] = a + bytes > a ? shared_bytes(x, a, a + bytes) : nullptr;
    if (!where[l]) bad_access(x, p, a, bytes, l, Store, Space::shared);
  }
  count_shared(x, p, c, s);
  if (x.checks) check_shared(x, p, s, bytes, Store);
  DOJO_FOR_LANES(l, s.mask) {
    lane_by_lane<W, Store>(x, p, l, where[l]);
    if (!Store && (p->flags & flag::strong)) watch(x, window::shared + s.at(l), bytes, where[l]);
  }
}

/// Where the lanes' elements are, if all lie aligned in one region. False: each lane is to be looked at.
bool find_lanes(Exec& x, AccessCount& c, const Span& s, uint32_t bytes, bool store, std::byte** where) {
  uint64_t low = ~uint64_t(0), high = 0, bits = 0;
  const bool all = s.mask == ~0u && !s.affine;
  if (all) {
    for (int l = 0; l < 32; ++l)
      low = std::min(low, s.lanes[l]), high = std::max(high, s.lanes[l]), bits |= s.lanes[l];
  } else {
    DOJO_FOR_LANES(l, s.mask) {
      const uint64_t a = s.at(l);
      low = std::min(low, a), high = std::max(high, a), bits |= a;
    }
  }
  if ((bits & (bytes - 1)) || high + bytes < high) return false;
  std::byte* at = global_bytes(x, c, low, high + bytes, store);
  if (!at) return false;
  if (all)
    for (int l = 0; l < 32; ++l) where[l] = at + (s.lanes[l] - low);
  else
    DOJO_FOR_LANES(l, s.mask) where[l] = at + (s.at(l) - low);
  return true;
}

template <int W, bool Store>
void access_global(const Inst* p, Exec& x, Span& s) {
  const uint32_t bytes = uint32_t(W) * p->count;
  AccessCount& c = x.access[p->access];
  if constexpr (Store) note_store(x);
  const LineAccess::Kind kind = Store                                       ? LineAccess::store
                                : p->flags & (flag::strong | flag::past_l1) ? LineAccess::load_volatile
                                : p->flags & flag::nc                       ? LineAccess::load_nc
                                                                            : LineAccess::load;
  const bool constant = p->space == Space::constant;
  if (s.affine && !((s.base | s.stride) & (bytes - 1))) [[likely]] {
    std::byte* at = s.high + bytes > s.high ? global_bytes(x, c, s.low, s.high + bytes, Store) : nullptr;
    if (at) [[likely]] {
      if (constant) {
        note_constant(x, p, s, bytes);
      } else {
        count_global(x, p, c, s, kind);
        if (!Store && (p->flags & flag::acquire)) log_invalidation(x, p);
        if (x.checks) check_global(x, p, c, s, bytes, Store, p->flags & flag::strong);
      }
      if constexpr (Store)
        move_out<W>(x, p, s, at);
      else
        move_in<W>(x, p, s, at);
      if (!Store && (p->flags & flag::strong))
        DOJO_FOR_LANES(l, s.mask) watch(x, s.at(l), bytes, at + (s.at(l) - s.low));
      return;
    }
  }
  std::byte* where[32];
  if (!find_lanes(x, c, s, bytes, Store, where)) DOJO_FOR_LANES(l, s.mask) {
      const uint64_t a = s.at(l);
      if (a & (bytes - 1)) bad_access(x, p, a, bytes, l, Store, Space::global);
      where[l] = a + bytes > a ? global_bytes(x, c, a, a + bytes, Store) : nullptr;
      if (!where[l]) bad_access(x, p, a, bytes, l, Store, Space::global);
    }
  if (constant) {
    note_constant(x, p, s, bytes);
  } else {
    count_global(x, p, c, s, kind);
    if (!Store && (p->flags & flag::acquire)) log_invalidation(x, p);
    if (x.checks) check_global(x, p, c, s, bytes, Store, p->flags & flag::strong);
  }
  if (p->count == 1 && plain<W>(p)) {
    auto* words = x.slot<Raw<W>>(p->d);
    if (!Store && s.mask == ~0u)
      for (int l = 0; l < 32; ++l) std::memcpy(words + l, where[l], W);
    else
      DOJO_FOR_LANES(l, s.mask)
    Store ? std::memcpy(where[l], words + l, W) : std::memcpy(words + l, where[l], W);
  } else {
    DOJO_FOR_LANES(l, s.mask) lane_by_lane<W, Store>(x, p, l, where[l]);
  }
  if (!Store && (p->flags & flag::strong)) DOJO_FOR_LANES(l, s.mask) watch(x, s.at(l), bytes, where[l]);
}

/// Moves what all lanes have at one offset, as variables and arrays with a common index have it. False: the
/// general way has to say what is wrong with it.
template <int W, bool Store>
bool move_local_row(const Inst* p, Exec& x, const Span& s) {
  static constexpr uint8_t written[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const uint32_t bytes = uint32_t(W) * p->count;
  if (!s.affine || s.stride != 0 || (s.base & (bytes - 1)) || bytes > 32) return false;
  std::byte* at = local_bytes(x, 0, s.base, bytes);
  if (!at) return false;
  const size_t stride = x.warp->local_stride;
  if (x.checks) {
    uint8_t* init = x.warp->local_init.data() + s.base;
    const auto mark = [&](auto n) {  // of one element a constant: no call per lane
      DOJO_FOR_LANES(l, s.mask) {
        uint8_t* lane = init + l * stride;
        if (Store)
          std::memcpy(lane, written, n);
        else if (std::memcmp(lane, written, n) != 0)
          return false;
      }
      return true;
    };
    if (!(p->count == 1 ? mark(std::integral_constant<uint32_t, W>()) : mark(bytes))) return false;
  }
  if (p->count == 1 && plain<W>(p)) {
    auto* words = x.slot<Raw<W>>(p->d);
    DOJO_FOR_LANES(l, s.mask)
    Store ? std::memcpy(at + l * stride, words + l, W) : std::memcpy(words + l, at + l * stride, W);
  } else {
    DOJO_FOR_LANES(l, s.mask) lane_by_lane<W, Store>(x, p, l, at + l * stride);
  }
  return true;
}

template <int W, bool Store>
void access_local(const Inst* p, Exec& x, Span& s) {
  const uint32_t bytes = uint32_t(W) * p->count;
  AccessCount& c = x.access[p->access];
  if (!move_local_row<W, Store>(p, x, s)) DOJO_FOR_LANES(l, s.mask) {
      const uint64_t a = s.at(l);
      if (a & (bytes - 1)) bad_access(x, p, a, bytes, l, Store, Space::local);
      std::byte* at = local_bytes(x, l, a, bytes);
      if (!at) bad_access(x, p, a, bytes, l, Store, Space::local);
      if (x.checks) check_local(x, p, l, a, bytes, Store);
      lane_by_lane<W, Store>(x, p, l, at);
    }
  const uint32_t width = x.shape[p->access].width;
  if (!width) return;  // the machine code keeps it in registers
  // Local memory is interleaved: a word of all lanes is one 128-byte line, four words of all lanes are four.
  const uint32_t wide = std::max(4u, width);
  Span line;
  line.affine = false;
  alignas(32) uint64_t where[32];
  const uint64_t room = uint64_t(x.block->ticket) * 32 + x.warp->index;
  if (s.affine && s.stride == 0 && (wide == 4 || s.mask == ~0u)) {
    Span row;
    row.base = window::local + room * 65536 * 128 + s.base / wide * wide * 32 + s.base % 4;
    row.stride = wide;
    row.affine = true;
    row.mask = s.mask;
    row.low = row.at(uint32_t(std::countr_zero(s.mask)));
    row.high = row.at(31 - uint32_t(std::countl_zero(s.mask)));
    return count_global(x, p, c, row, Store ? LineAccess::store : LineAccess::load);
  }
  const LineAccess::Kind kind = Store ? LineAccess::store : LineAccess::load;
  line.lanes = where;
  if (wide == 4) {
    line.mask = s.mask;
    DOJO_FOR_LANES(l, s.mask)
    where[l] = window::local + room * 65536 * 128 + s.at(l) / wide * wide * 32 + l * wide + s.at(l) % 4;
    return count_global(x, p, c, line, kind);
  }
  // Eight neighbours share a sector of every word, so an element of two or four words is as many sectors for
  // each eight of which a lane has that index.
  DOJO_FOR_LANES(l, s.mask) {
    const uint32_t group = l & ~7u;
    where[l] = window::local + room * 65536 * 128 + s.at(l) / wide * wide * 32 + group * wide;
    bool first = true;
    for (uint32_t k = group; k < l; ++k) first &= !(line.mask >> k & 1) || where[k] != where[l];
    line.mask |= uint32_t(first) << l;
  }
  count_lines(x, p, c, line, 8 * wide, kind);
}

template <int W>
void access_param_window(const Inst* p, Exec& x, Span& s) {
  const uint32_t bytes = uint32_t(W) * p->count;
  const auto& params = x.grid->node->spec.params;
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t a = s.at(l);
    if (a > params.size() || bytes > params.size() - a || (a & (bytes - 1)))
      bad_access(x, p, a, bytes, l, false, Space::param);
    lane_by_lane<W, false>(x, p, l, const_cast<std::byte*>(params.data()) + a);
  }
}

template <int W, bool Store>
void access_generic(const Inst* p, Exec& x, Span& s) {
  auto window_of = [](uint64_t a) -> uint64_t {
    return window::in(a, window::shared)  ? window::shared
           : window::in(a, window::local) ? window::local
           : window::in(a, window::param) ? window::param
                                          : 0;
  };
  auto go = [&](Span& t, uint64_t w) {
    if (w) {
      t.base -= w, t.low -= w, t.high -= w;
      if (!t.affine) {
        for (int i = 0; i < 32; ++i) x.addresses[i] = t.lanes[i] - w;
        t.lanes = x.addresses;
      }
    }
    if (w == 0)
      access_global<W, Store>(p, x, t);
    else if (w == window::shared)
      access_shared<W, Store>(p, x, t);
    else if (w == window::local)
      access_local<W, Store>(p, x, t);
    else if (Store)
      bad_access(x, p, t.at(uint32_t(std::countr_zero(t.mask))), W, uint32_t(std::countr_zero(t.mask)), true,
                 Space::param);
    else
      access_param_window<W>(p, x, t);
  };
  if (s.affine && window_of(s.low) == window_of(s.high)) return go(s, window_of(s.low));
  alignas(32) uint64_t all[32];
  for (uint32_t l = 0; l < 32; ++l) all[l] = s.at(l);
  uint32_t left = s.mask;
  while (left) {
    const uint64_t w = window_of(all[std::countr_zero(left)]);
    uint32_t same = 0;
    DOJO_FOR_LANES(l, left) same |= uint32_t(window_of(all[l]) == w) << l;
    left &= ~same;
    Span part;
    find_span(part, all, same);
    go(part, w);
  }
}

template <Space S, int W, bool Store>
const Inst* access_device(const Inst* p, Exec& x) {
  Span s;
  span_of(p, x, s);
  if constexpr (S == Space::shared) {
    // Addresses beyond 4 GiB are generic ones used as shared addresses.
    access_shared<W, Store>(p, x, s);
  } else if constexpr (S == Space::global)
    access_global<W, Store>(p, x, s);
  else if constexpr (S == Space::local)
    access_local<W, Store>(p, x, s);
  else if constexpr (S == Space::param)
    access_param_window<W>(p, x, s);
  else
    access_generic<W, Store>(p, x, s);
  return p + 1;
}

[[gnu::noinline]] Span word_span(uint64_t base, uint64_t stride) {
  Span s;
  s.base = s.low = base;
  s.stride = stride;
  s.high = base + 31 * stride;
  s.affine = true;
  s.mask = ~0u;
  return s;
}
[[gnu::noinline]] void count_new_word(const Inst* p, Exec& x, uint64_t base, uint64_t stride,
                                      uint32_t width) {
  const Span s = word_span(base, stride);
  count_new_shape(p, x.access[p->access], s, AccessCount::of_shared, width);
}
[[gnu::noinline]] void check_word(const Inst* p, Exec& x, uint64_t base, uint64_t stride, bool write) {
  const Span s = word_span(base, stride);
  check_shared(x, p, s, 4, write);
}

/// One 32-bit word a lane of shared memory, all 32 lanes: the same for all (loads) or in a row, which is what
/// most kernels do. Everything else goes the general way. Nothing on this function's stack may be pointed to
/// from outside, so that going on is a jump.
template <bool Store>
const Inst* shared_word(const Inst* p, Exec& x) {
  if (x.mask != ~0u) return access_device<Space::shared, 4, Store>(p, x);
  uint64_t base, stride;
  if (p->wide & 1) {
    const uint64_t* a = x.slot<uint64_t>(p->a);
    base = a[0], stride = a[1] - a[0];
    if (!in_a_row(a, base, stride)) return access_device<Space::shared, 4, Store>(p, x);
  } else {
    const uint32_t* a = x.slot<uint32_t>(p->a);
    base = a[0], stride = uint64_t(a[1]) - a[0];
    if (!in_a_row(a, a[0], uint32_t(stride))) return access_device<Space::shared, 4, Store>(p, x);
  }
  base += p->imm;
  Block& b = *x.block;
  if ((stride != 4 && (Store || stride != 0)) || (base & 3) || base + 31 * stride + 4 > b.shared_bytes ||
      base > b.shared_bytes)
    return access_device<Space::shared, 4, Store>(p, x);
  if (const uint32_t width = x.shape[p->access].width) {
    AccessCount& c = x.access[p->access];
    if (c.stride == stride && c.mask == ~0u) [[likely]]
      ++c.run;
    else
      count_new_word(p, x, base, stride, width);
    b.summary.shared_wavefronts += c.wavefronts;
    note_access(x, p, c);
  }
  if (x.checks) check_word(p, x, base, stride, Store);
  std::byte* at = b.shared.data() + base;
  if constexpr (Store) {
    note_store(x);
    std::memcpy(at, x.slot<std::byte>(p->d), 128);
  } else if (stride) {
    std::memcpy(x.slot<std::byte>(p->d), at, 128);
  } else {
    uint32_t v;
    std::memcpy(&v, at, 4);
    u32a* d = x.slot<u32a>(p->d);
    for (int i = 0; i < 32; ++i) d[i] = v;
  }
  return go_on(p, x);
}

template <int W, bool Store>
Handler in_space(Space s) {
  switch (s) {
    case Space::shared:
      return access_device<Space::shared, W, Store>;
    case Space::global:
    case Space::constant:
      return access_device<Space::global, W, Store>;
    case Space::local:
      return access_device<Space::local, W, Store>;
    case Space::param:
      return access_device<Space::param, W, Store>;
    default:
      return access_device<Space::none, W, Store>;
  }
}
}  // namespace

Handler lanes_handler(Space s, int w, bool store) {
  return by_width(w, [&]<int W> { return store ? in_space<W, true>(s) : in_space<W, false>(s); });
}
Handler shared_word_handler(bool store) { return store ? shared_word<true> : shared_word<false>; }

}  // namespace dojo::simt
