#pragma once
// Register lanes to and from bytes: what ld and st share.
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"

namespace dojo::simt {

/// A kernel's parameter at a fixed offset: the same for all lanes; `w` bytes a register.
Handler kernel_param_handler(int w);
/// A function's parameter, result or call-site parameter: bytes of the frame. b: offset, c: stride.
Handler frame_param_handler(int w, bool store);
/// ld and st of a kernel, by state space; none: a generic address.
Handler lanes_handler(ptx::Space, int w, bool store);
/// The most frequent form in kernels: one word of 32 bits per lane in shared memory, a weak access.
Handler shared_word_handler(bool store);
/// ld and st of host code.
Handler host_handler(int w, bool store);
/// The most frequent form in host code: one element, a 64-bit address, a register as wide as the element, no
/// sign.
Handler plain_host_handler(int w, bool store);

}  // namespace dojo::simt

namespace dojo::simt::moves {

/// The address register's lanes as 64 bits, with the instruction's offset added.
inline void span_of(const Inst* p, Exec& x, Span& s) {
  if (p->wide & 1) {
    find_span(s, x.slot<uint64_t>(p->a), x.mask);
  } else {
    const u32a* a = x.slot<u32a>(p->a);
    for (int i = 0; i < 32; ++i) x.scratch[i] = with_offset(a[i], p->imm, false);
    find_span(s, x.scratch, x.mask);
    return;
  }
  if (p->imm) {
    if (s.affine) {
      s.base += p->imm;
      s.low += p->imm;
      s.high += p->imm;
    } else {
      for (int i = 0; i < 32; ++i) x.addresses[i] = s.lanes[i] + p->imm;
      s.lanes = x.addresses;
    }
  }
}

/// Is a[i] = base + i * stride for all 32 lanes?
inline bool in_a_row(const uint64_t* a, uint64_t base, uint64_t stride) {
  return simd::arithmetic(a, base, stride);
}
inline bool in_a_row(const uint32_t* a, uint32_t base, uint32_t stride) {
  uint32_t bad = 0;
  for (uint32_t i = 0; i < 32; ++i) bad |= a[i] ^ (base + stride * i);
  return !bad;
}

/// pick.operator()<W>(): the handler for elements of `width` bytes, W being 1, 2, 4 or 8.
template <class Pick>
Handler by_width(int width, Pick pick) {
  return width == 1   ? pick.template operator()<1>()
         : width == 2 ? pick.template operator()<2>()
         : width == 4 ? pick.template operator()<4>()
                      : pick.template operator()<8>();
}

template <int W>
using Raw =
    std::conditional_t<W == 1, uint8_t,
                       std::conditional_t<W == 2, uint16_t, std::conditional_t<W == 4, uint32_t, uint64_t>>>;

/// Bytes to a register lane: sign or zero extended to the register.
template <int W>
inline void put_lane(Exec& x, const Inst* p, uint32_t slot, uint32_t l, const std::byte* from) {
  Raw<W> v;
  std::memcpy(&v, from, W);
  if constexpr (W == 8) {
    x.slot<u64a>(slot)[l] = v;
  } else {
    uint64_t e = v;
    if constexpr (W < 4)
      if (p->flags & flag::sign) e = uint64_t(int64_t(std::make_signed_t<Raw<W>>(v)));
    if constexpr (W == 4)
      if ((p->flags & flag::sign) && (p->wide & 2)) e = uint64_t(int64_t(int32_t(v)));
    if (p->wide & 2)
      x.slot<u64a>(slot)[l] = e;
    else
      x.slot<u32a>(slot)[l] = uint32_t(e);
  }
}
template <int W>
inline void take_lane(Exec& x, const Inst* p, uint32_t slot, uint32_t l, std::byte* to) {
  Raw<W> v = p->wide & 2 ? Raw<W>(x.slot<u64a>(slot)[l]) : Raw<W>(x.slot<u32a>(slot)[l]);
  if constexpr (W == 8) v = x.slot<u64a>(slot)[l];
  std::memcpy(to, &v, W);
}
inline const std::vector<uint32_t>& slots(const Inst* p, Exec& x) {
  return x.frame->code->lists[size_t(p->target)];
}

/// Copies elements `step` bytes apart to one register of the lanes, and back. Bytes between them are not
/// read.
template <class T>
inline void lanes_from(T* d, const std::byte* from, int64_t step, uint32_t mask) {
  if (mask == ~0u)
    for (int64_t l = 0; l < 32; ++l) std::memcpy(d + l, from + step * l, sizeof(T));
  else
    DOJO_FOR_LANES(l, mask) std::memcpy(d + l, from + step * int64_t(l), sizeof(T));
}
template <class T>
inline void lanes_to(const T* d, std::byte* to, int64_t step, uint32_t mask) {
  if (mask == ~0u)
    for (int64_t l = 0; l < 32; ++l) std::memcpy(to + step * l, d + l, sizeof(T));
  else
    DOJO_FOR_LANES(l, mask) std::memcpy(to + step * int64_t(l), d + l, sizeof(T));
}
/// Are registers as wide as the elements, so that bytes are copied as they are?
template <int W>
inline bool plain(const Inst* p) {
  return W == 8 || (W == 4 && !(p->wide & 2));
}

template <int W>
inline void move_in(Exec& x, const Inst* p, const Span& s, std::byte* at) {
  // `at` is where s.low is.
  std::byte* origin = at + int64_t(s.base - s.low);
  const int64_t step = int64_t(s.stride);  // it may go down
  if (p->count == 1) {
    if constexpr (W == 4) {
      if (s.stride == 4 && !(p->wide & 2)) {
        auto* d = x.slot<int>(p->d);
        if (s.mask == ~0u) {
          std::memcpy(d, origin, 128);
        } else {
          for (int i = 0; i < 32; i += 8) {
            if (!(s.mask >> i & 0xff)) continue;
            const simd::U32 m = simd::lane_mask(s.mask, i);
            simd::masked_store(d + i, m, simd::masked_load(origin + 4 * i, m));
          }
        }
        return;
      }
      if (s.stride == 0 && !(p->wide & 2)) {
        uint32_t v;
        std::memcpy(&v, at, 4);
        u32a* d = x.slot<u32a>(p->d);
        if (s.mask == ~0u)
          for (int i = 0; i < 32; ++i) d[i] = v;
        else
          DOJO_FOR_LANES(l, s.mask) d[l] = v;
        return;
      }
    }
    if constexpr (W == 8)
      if (s.stride == 8 && s.mask == ~0u) {
        std::memcpy(x.slot<uint64_t>(p->d), origin, 256);
        return;
      }
    if constexpr (W < 4)
      if (s.stride == W && s.mask == ~0u && !(p->wide & 2)) {
        Raw<W> v[32];
        std::memcpy(v, origin, sizeof v);
        u32a* d = x.slot<u32a>(p->d);
        if (p->flags & flag::sign)
          for (int i = 0; i < 32; ++i) d[i] = uint32_t(int32_t(std::make_signed_t<Raw<W>>(v[i])));
        else
          for (int i = 0; i < 32; ++i) d[i] = v[i];
        return;
      }
    if (plain<W>(p)) return lanes_from(x.slot<Raw<W>>(p->d), origin, step, s.mask);
    if (s.mask == ~0u) {
      for (uint32_t l = 0; l < 32; ++l) put_lane<W>(x, p, p->d, l, origin + step * l);
      return;
    }
    DOJO_FOR_LANES(l, s.mask) put_lane<W>(x, p, p->d, l, origin + step * l);
    return;
  }
  const auto& to = slots(p, x);
  if constexpr (W == 4)
    if (p->count == 4 && s.mask == ~0u && !(p->wide & 2)) {
      u32a *d0 = x.slot<u32a>(to[0]), *d1 = x.slot<u32a>(to[1]), *d2 = x.slot<u32a>(to[2]),
           *d3 = x.slot<u32a>(to[3]);
      for (uint32_t l = 0; l < 32; ++l) {
        uint32_t v[4];
        std::memcpy(v, origin + step * l, 16);
        d0[l] = v[0], d1[l] = v[1], d2[l] = v[2], d3[l] = v[3];
      }
      return;
    }
  if (plain<W>(p)) {
    for (uint32_t k = 0; k < p->count; ++k) lanes_from(x.slot<Raw<W>>(to[k]), origin + k * W, step, s.mask);
    return;
  }
  DOJO_FOR_LANES(l, s.mask)
  for (uint32_t k = 0; k < p->count; ++k) put_lane<W>(x, p, to[k], l, origin + step * l + k * W);
}
template <int W>
inline void move_out(Exec& x, const Inst* p, const Span& s, std::byte* at) {
  std::byte* origin = at + int64_t(s.base - s.low);
  const int64_t step = int64_t(s.stride);  // it may go down
  if (p->count == 1) {
    if constexpr (W == 4)
      if (s.stride == 4 && !(p->wide & 2)) {
        const int* d = x.slot<int>(p->d);
        if (s.mask == ~0u) {
          std::memcpy(origin, d, 128);
        } else {
          for (int i = 0; i < 32; i += 8) {
            if (!(s.mask >> i & 0xff)) continue;
            simd::masked_store(origin + 4 * i, simd::lane_mask(s.mask, i), simd::load(d + i));
          }
        }
        return;
      }
    if constexpr (W == 8)
      if (s.stride == 8 && s.mask == ~0u) {
        std::memcpy(origin, x.slot<uint64_t>(p->d), 256);
        return;
      }
    if constexpr (W < 4)
      if (s.stride == W && s.mask == ~0u && !(p->wide & 2)) {
        Raw<W> v[32];
        const u32a* d = x.slot<u32a>(p->d);
        for (int i = 0; i < 32; ++i) v[i] = Raw<W>(d[i]);
        std::memcpy(origin, v, sizeof v);
        return;
      }
    if (plain<W>(p)) return lanes_to(x.slot<Raw<W>>(p->d), origin, step, s.mask);
    DOJO_FOR_LANES(l, s.mask) take_lane<W>(x, p, p->d, l, origin + step * l);
    return;
  }
  const auto& from = slots(p, x);
  if (plain<W>(p)) {  // lanes of one place: the last one's bytes stay, either way round
    for (uint32_t k = 0; k < p->count; ++k) lanes_to(x.slot<Raw<W>>(from[k]), origin + k * W, step, s.mask);
    return;
  }
  DOJO_FOR_LANES(l, s.mask)
  for (uint32_t k = 0; k < p->count; ++k) take_lane<W>(x, p, from[k], l, origin + step * l + k * W);
}

inline void note_store(Exec& x) { x.wrote = true; }

template <int W, bool Store>
inline void lane_by_lane(Exec& x, const Inst* p, uint32_t l, std::byte* at) {
  if (p->count == 1) {
    if constexpr (Store)
      take_lane<W>(x, p, p->d, l, at);
    else
      put_lane<W>(x, p, p->d, l, at);
    return;
  }
  const auto& regs = slots(p, x);
  for (uint32_t k = 0; k < p->count; ++k) {
    if constexpr (Store)
      take_lane<W>(x, p, regs[k], l, at + k * W);
    else
      put_lane<W>(x, p, regs[k], l, at + k * W);
  }
}

}  // namespace dojo::simt::moves
