#pragma once
// Vectors of eight 32-bit lanes. Only this file and ops/rounding.hpp name instructions of one architecture.
// Sums, comparisons and logic use GCC's vector extensions, which every architecture has. Each other operation
// is a function here: AVX2 (or AVX-512) intrinsics on x86-64, plain C++ on AArch64. A mask is a vector whose
// lanes are 0 or all ones.
//
//   select(same(a, b), a + c, b)      a + c in the lanes where a equals b, else b
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#error "WarpDojo needs x86-64 with AVX2 and FMA (-march=x86-64-v3 or newer) or AArch64"
#endif

namespace dojo::simt::simd {

using U32 = uint32_t __attribute__((vector_size(32)));
using U64 = uint64_t __attribute__((vector_size(32)));
using F32 = float __attribute__((vector_size(32)));

template <class V = U32>
inline V load(const void* from) {  // any alignment: memcpy becomes one unaligned load
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class V>
inline void store(void* to, V v) {
  std::memcpy(to, &v, sizeof v);
}
inline U32 splat(uint32_t v) { return U32{v, v, v, v, v, v, v, v}; }

inline U32 same(U32 a, U32 b) { return U32(a == b); }
inline U32 not_a_number(F32 v) { return U32(v != v); }

/// Lanes where v < bound.
inline U32 below(U32 v, U32 bound) {
#ifdef __AVX2__  // not max(v, bound) == v: AVX2 compares signed numbers only
  return ~same(U32(_mm256_max_epu32(__m256i(v), __m256i(bound))), v);
#else
  return U32(v < bound);
#endif
}
/// `yes` where the mask is set, else `no`.
template <class V>
inline V select(U32 mask, V yes, V no) {
#ifdef __AVX2__
  return V(_mm256_blendv_epi8(__m256i(no), __m256i(yes), __m256i(mask)));
#else
  return V((mask & U32(yes)) | (~mask & U32(no)));
#endif
}
/// Is any bit of the vector set?
template <class V>
inline bool any(V v) {
#ifdef __AVX2__
  return !_mm256_testz_si256(__m256i(v), __m256i(v));
#else
  const U64 w = U64(v);
  return (w[0] | w[1] | w[2] | w[3]) != 0;
#endif
}

/// Bits `from` to `from` + 7 of a warp's lane mask, as a vector mask.
inline U32 lane_mask(uint32_t mask, int from) {
#ifdef __AVX2__
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return U32(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(int(mask >> from)), bits), bits));
#else
  constexpr U32 bits{1, 2, 4, 8, 16, 32, 64, 128};
  return same(splat(mask >> from) & bits, bits);
#endif
}
/// Loads the lanes that the mask has set; the others are 0, and their memory is not read.
inline U32 masked_load(const void* from, U32 mask) {
#ifdef __AVX2__
  return U32(_mm256_maskload_epi32(static_cast<const int*>(from), __m256i(mask)));
#else
  U32 v{};
  for (int i = 0; i < 8; ++i)
    if (mask[i]) {
      uint32_t lane;
      std::memcpy(&lane, static_cast<const char*>(from) + 4 * i, 4);
      v[i] = lane;
    }
  return v;
#endif
}
/// Stores the lanes that the mask has set; the others' memory is not written.
inline void masked_store(void* to, U32 mask, U32 v) {
#ifdef __AVX2__
  _mm256_maskstore_epi32(static_cast<int*>(to), __m256i(mask), __m256i(v));
#else
  for (int i = 0; i < 8; ++i)
    if (mask[i]) {
      const uint32_t lane = v[i];
      std::memcpy(static_cast<char*>(to) + 4 * i, &lane, 4);
    }
#endif
}

/// A lane mask of 32 numbers, each 0 or -1: bit l is set if m[l] is -1. `m` is aligned to 32 bytes.
inline uint32_t bits32(const int32_t* m) {
#if defined(__AVX512F__)
  auto half = [&](int i) {
    return uint32_t(_mm512_cmpneq_epi32_mask(_mm512_loadu_si512(m + i), _mm512_setzero_si512()));
  };
  return half(0) | half(16) << 16;
#elif defined(__AVX2__)
  auto at = [&](int i) {
    return uint32_t(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(m + i)))));
  };
  return at(0) | at(8) << 8 | at(16) << 16 | at(24) << 24;
#else
  uint32_t bits = 0;
  for (int i = 0; i < 32; ++i) bits |= uint32_t(m[i]) & 1u << i;
  return bits;
#endif
}
/// Index of the first of 16 numbers that equals `wanted`; -1 if none does. `numbers` is aligned to 32 bytes.
inline int find16(const uint16_t* numbers, uint16_t wanted) {
#ifdef __AVX2__
  const __m256i equal = _mm256_cmpeq_epi16(_mm256_set1_epi16(short(wanted)),
                                           _mm256_load_si256(reinterpret_cast<const __m256i*>(numbers)));
  const uint32_t bytes = uint32_t(_mm256_movemask_epi8(equal));
  return bytes ? std::countr_zero(bytes) / 2 : -1;
#else
  for (int i = 0; i < 16; ++i)
    if (numbers[i] == wanted) return i;
  return -1;
#endif
}
/// Is a[i] == base + i * stride for all of 32 numbers? `a` is aligned to 64 bytes.
inline bool arithmetic(const uint64_t* a, uint64_t base, uint64_t stride) {
#ifdef __AVX512F__
  const __m512i step = _mm512_set1_epi64(int64_t(stride * 8));
  __m512i expect = _mm512_add_epi64(
      _mm512_set1_epi64(int64_t(base)),
      stride ? _mm512_setr_epi64(0, int64_t(stride), int64_t(2 * stride), int64_t(3 * stride),
                                 int64_t(4 * stride), int64_t(5 * stride), int64_t(6 * stride),
                                 int64_t(7 * stride))
             : _mm512_setzero_si512());
  __mmask8 bad = 0;
  for (int i = 0; i < 32; i += 8) {
    bad |= _mm512_cmpneq_epi64_mask(_mm512_load_si512(a + i), expect);
    expect = _mm512_add_epi64(expect, step);
  }
  return !bad;
#else
  uint64_t bad = 0;
  for (uint64_t i = 0; i < 32; ++i) bad |= a[i] ^ (base + stride * i);
  return !bad;
#endif
}

/// A mask of four 64-bit lanes, and all 16 of them: lane_mask4[m] has lane i set if bit i of m is.
struct alignas(32) LaneMask4 {
  uint64_t v[4];
};
inline constexpr std::array<LaneMask4, 16> lane_mask4 = [] {
  std::array<LaneMask4, 16> t{};
  for (int m = 0; m < 16; ++m)
    for (int i = 0; i < 4; ++i) t[size_t(m)].v[i] = (m >> i & 1) ? ~uint64_t(0) : 0;
  return t;
}();
/// Is a[i] == base + i * stride for every i whose bit in `mask` is set? `a`: 32 numbers, aligned to 32 bytes.
inline bool arithmetic_where(const uint64_t* a, uint64_t base, uint64_t stride, uint32_t mask) {
#ifdef __AVX2__
  const __m256i step = _mm256_set1_epi64x(int64_t(stride * 4));
  __m256i expect = _mm256_setr_epi64x(int64_t(base), int64_t(base + stride), int64_t(base + 2 * stride),
                                      int64_t(base + 3 * stride));
  __m256i bad = _mm256_setzero_si256();
  if (mask == ~0u) {
    for (int i = 0; i < 32; i += 4) {
      __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(a + i));
      bad = _mm256_or_si256(bad, _mm256_xor_si256(v, expect));
      expect = _mm256_add_epi64(expect, step);
    }
  } else {
    for (int i = 0; i < 32; i += 4) {
      __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(a + i));
      __m256i m = _mm256_load_si256(reinterpret_cast<const __m256i*>(lane_mask4[mask >> i & 15].v));
      bad = _mm256_or_si256(bad, _mm256_and_si256(m, _mm256_xor_si256(v, expect)));
      expect = _mm256_add_epi64(expect, step);
    }
  }
  return _mm256_testz_si256(bad, bad);
#else
  const U64 step = U64{} + stride * 4;
  U64 expect{base, base + stride, base + 2 * stride, base + 3 * stride}, bad{};
  for (int i = 0; i < 32; i += 4) {
    bad |= load<U64>(lane_mask4[mask >> i & 15].v) & (load<U64>(a + i) ^ expect);
    expect += step;
  }
  return !any(bad);
#endif
}

// Half precision (binary16); narrowing rounds to nearest even.
#if defined(__AVX2__)
inline float half_to_float(uint16_t h) { return _cvtsh_ss(h); }
inline uint16_t float_to_half(float f) { return uint16_t(_cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT)); }
#else
inline float half_to_float(uint16_t h) { return float(std::bit_cast<__fp16>(h)); }
inline uint16_t float_to_half(float f) { return std::bit_cast<uint16_t>(__fp16(f)); }
#endif
/// Converts eight halves. Each is in the lower 16 bits of its lane; the upper 16 bits must be 0.
inline F32 halves_to_floats(U32 h) {
#if defined(__AVX2__)
  return F32(_mm256_cvtph_ps(
      _mm_packus_epi32(_mm256_castsi256_si128(__m256i(h)), _mm256_extracti128_si256(__m256i(h), 1))));
#else
  F32 f{};
  for (int i = 0; i < 8; ++i) f[i] = half_to_float(uint16_t(h[i]));
  return f;
#endif
}
inline U32 floats_to_halves(F32 f) {
#if defined(__AVX2__)
  return U32(_mm256_cvtepu16_epi32(_mm256_cvtps_ph(__m256(f), _MM_FROUND_TO_NEAREST_INT)));
#else
  U32 h{};
  for (int i = 0; i < 8; ++i) h[i] = float_to_half(f[i]);
  return h;
#endif
}

}  // namespace dojo::simt::simd
