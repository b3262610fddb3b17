// Warp matrix functions (nvcuda::wmma of the CUDA C++ Programming Guide): 16 x 16 x 16 of half with sums in half or
// float, 16 x 16 x 16 of signed char with sums in int, 16 x 16 x 8 of tf32 with sums in float.
#pragma once
#include <cuda_fp16.h>
DOJO_SHIM_BEGIN
namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class Use, int _M, int _N, int _K, class _T, class Layout = void> struct fragment;
template <class Layout> struct fragment<matrix_a, 16, 16, 16, __half, Layout> {
  typedef __half element_type;
  static constexpr int num_elements = 16;
  union {
    int words[8];
    __half x[16];
  };
  fragment() = default;
};
template <class Layout> struct fragment<matrix_b, 16, 16, 16, __half, Layout> {
  typedef __half element_type;
  static constexpr int num_elements = 16;
  union {
    int words[8];
    __half x[16];
  };
  fragment() = default;
};
template <> struct fragment<accumulator, 16, 16, 16, float> {
  typedef float element_type;
  static constexpr int num_elements = 8;
  float x[8];
};
template <> struct fragment<accumulator, 16, 16, 16, __half> {
  typedef __half element_type;
  static constexpr int num_elements = 8;
  union {
    int words[4];
    __half x[8];
  };
  fragment() = default;
};

template <class _L> struct __dojo_column {
  static constexpr int value = 0;
};
template <> struct __dojo_column<col_major> {
  static constexpr int value = 1;
};

template <class _F, class _T> DOJO_DEVICE void fill_fragment(_F& f, _T value) {
#pragma unroll
  for (int i = 0; i < _F::num_elements; ++i) f.x[i] = typename _F::element_type(value);
}
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __half, _L>& f, const __half* p, unsigned stride) {
  __hmma_m16n16k16_ld_a(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __half, _L>& f, const __half* p, unsigned stride) {
  __hmma_m16n16k16_ld_b(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
DOJO_DEVICE void load_matrix_sync(fragment<accumulator, 16, 16, 16, float>& f, const float* p, unsigned stride,
                                  layout_t l) {
  if (l == mem_row_major)
    __hmma_m16n16k16_ld_c_f32(f.x, p, stride, 0);
  else
    __hmma_m16n16k16_ld_c_f32(f.x, p, stride, 1);
}
DOJO_DEVICE void store_matrix_sync(float* p, const fragment<accumulator, 16, 16, 16, float>& f, unsigned stride,
                                   layout_t l) {
  if (l == mem_row_major)
    __hmma_m16n16k16_st_c_f32(p, f.x, stride, 0);
  else
    __hmma_m16n16k16_st_c_f32(p, f.x, stride, 1);
}
DOJO_DEVICE void store_matrix_sync(__half* p, const fragment<accumulator, 16, 16, 16, __half>& f, unsigned stride,
                                   layout_t l) {
  if (l == mem_row_major)
    __hmma_m16n16k16_st_c_f16((int*)p, f.words, stride, 0);
  else
    __hmma_m16n16k16_st_c_f16((int*)p, f.words, stride, 1);
}
// The fifth argument: 2 where a is stored by columns, plus 1 where b is. The last one: do sums saturate?
template <class La, class Lb>
DOJO_DEVICE void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                          const fragment<matrix_a, 16, 16, 16, __half, La>& a,
                          const fragment<matrix_b, 16, 16, 16, __half, Lb>& b,
                          const fragment<accumulator, 16, 16, 16, float>& c) {
  __hmma_m16n16k16_mma_f32f32(d.x, a.words, b.words, c.x, 2 * __dojo_column<La>::value + __dojo_column<Lb>::value, 0);
}
template <class La, class Lb>
DOJO_DEVICE void mma_sync(fragment<accumulator, 16, 16, 16, __half>& d,
                          const fragment<matrix_a, 16, 16, 16, __half, La>& a,
                          const fragment<matrix_b, 16, 16, 16, __half, Lb>& b,
                          const fragment<accumulator, 16, 16, 16, __half>& c) {
  __hmma_m16n16k16_mma_f16f16(d.words, a.words, b.words, c.words,
                              2 * __dojo_column<La>::value + __dojo_column<Lb>::value, 0);
}

// Signed bytes.
template <class Use, class Layout> struct __dojo_bytes {
  typedef signed char element_type;
  static constexpr int num_elements = 8;
  union {
    int words[2];
    signed char x[8];
  };
  __dojo_bytes() = default;
};
template <class Layout>
struct fragment<matrix_a, 16, 16, 16, signed char, Layout> : __dojo_bytes<matrix_a, Layout> {};
template <class Layout>
struct fragment<matrix_b, 16, 16, 16, signed char, Layout> : __dojo_bytes<matrix_b, Layout> {};
template <> struct fragment<accumulator, 16, 16, 16, int> {
  typedef int element_type;
  static constexpr int num_elements = 8;
  int x[8];
};
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 16, signed char, _L>& f, const signed char* p,
                                  unsigned stride) {
  __imma_m16n16k16_ld_a_s8(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 16, signed char, _L>& f, const signed char* p,
                                  unsigned stride) {
  __imma_m16n16k16_ld_b_s8(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
DOJO_DEVICE void load_matrix_sync(fragment<accumulator, 16, 16, 16, int>& f, const int* p, unsigned stride,
                                  layout_t l) {
  if (l == mem_row_major)
    __imma_m16n16k16_ld_c(f.x, p, stride, 0);
  else
    __imma_m16n16k16_ld_c(f.x, p, stride, 1);
}
DOJO_DEVICE void store_matrix_sync(int* p, const fragment<accumulator, 16, 16, 16, int>& f, unsigned stride,
                                   layout_t l) {
  if (l == mem_row_major)
    __imma_m16n16k16_st_c_i32(p, f.x, stride, 0);
  else
    __imma_m16n16k16_st_c_i32(p, f.x, stride, 1);
}
template <class La, class Lb>
DOJO_DEVICE void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                          const fragment<matrix_a, 16, 16, 16, signed char, La>& a,
                          const fragment<matrix_b, 16, 16, 16, signed char, Lb>& b,
                          const fragment<accumulator, 16, 16, 16, int>& c) {
  __imma_m16n16k16_mma_s8(d.x, a.words, b.words, c.x, 2 * __dojo_column<La>::value + __dojo_column<Lb>::value, 0);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
// Floats of which 10 bits of mantissa count. The instructions take their bits as integers.
DOJO_DEVICE float __float_to_tf32(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return __builtin_bit_cast(float, bits);
}
template <class Use, class Layout> struct __dojo_tf32 {
  typedef float element_type;
  static constexpr int num_elements = 4;
  union {
    int words[4];
    float x[4];
  };
  __dojo_tf32() = default;
};
template <class Layout>
struct fragment<matrix_a, 16, 16, 8, precision::tf32, Layout> : __dojo_tf32<matrix_a, Layout> {};
template <class Layout>
struct fragment<matrix_b, 16, 16, 8, precision::tf32, Layout> : __dojo_tf32<matrix_b, Layout> {};
template <> struct fragment<accumulator, 16, 16, 8, float> {
  typedef float element_type;
  static constexpr int num_elements = 8;
  float x[8];
};
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 8, precision::tf32, _L>& f, const float* p,
                                  unsigned stride) {
  __mma_tf32_m16n16k8_ld_a(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
template <class _L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 8, precision::tf32, _L>& f, const float* p,
                                  unsigned stride) {
  __mma_tf32_m16n16k8_ld_b(f.words, (const int*)p, stride, __dojo_column<_L>::value);
}
DOJO_DEVICE void load_matrix_sync(fragment<accumulator, 16, 16, 8, float>& f, const float* p, unsigned stride,
                                  layout_t l) {
  if (l == mem_row_major)
    __mma_tf32_m16n16k8_ld_c(f.x, p, stride, 0);
  else
    __mma_tf32_m16n16k8_ld_c(f.x, p, stride, 1);
}
DOJO_DEVICE void store_matrix_sync(float* p, const fragment<accumulator, 16, 16, 8, float>& f, unsigned stride,
                                   layout_t l) {
  if (l == mem_row_major)
    __mma_m16n16k8_st_c_f32(p, f.x, stride, 0);
  else
    __mma_m16n16k8_st_c_f32(p, f.x, stride, 1);
}
template <class La, class Lb>
DOJO_DEVICE void mma_sync(fragment<accumulator, 16, 16, 8, float>& d,
                          const fragment<matrix_a, 16, 16, 8, precision::tf32, La>& a,
                          const fragment<matrix_b, 16, 16, 8, precision::tf32, Lb>& b,
                          const fragment<accumulator, 16, 16, 8, float>& c) {
  __mma_tf32_m16n16k8_mma_f32(d.x, a.words, b.words, c.x, 2 * __dojo_column<La>::value + __dojo_column<Lb>::value, 0);
}
#endif
}  // namespace wmma
}  // namespace nvcuda
DOJO_SHIM_END
