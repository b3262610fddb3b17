// Warp matrix functions (nvcuda::wmma of the CUDA C++ Programming Guide): 16 x 16 x 16 of half, sums in half or float.
#pragma once
#include <cuda_fp16.h>
#pragma clang force_cuda_host_device begin
namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment;
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

template <class L> struct __dojo_column {
  static constexpr int value = 0;
};
template <> struct __dojo_column<col_major> {
  static constexpr int value = 1;
};

template <class F, class T> DOJO_DEVICE void fill_fragment(F& f, T value) {
#pragma unroll
  for (int i = 0; i < F::num_elements; ++i) f.x[i] = typename F::element_type(value);
}
template <class L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __half, L>& f, const __half* p, unsigned stride) {
  __hmma_m16n16k16_ld_a(f.words, (const int*)p, stride, __dojo_column<L>::value);
}
template <class L>
DOJO_DEVICE void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __half, L>& f, const __half* p, unsigned stride) {
  __hmma_m16n16k16_ld_b(f.words, (const int*)p, stride, __dojo_column<L>::value);
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
}  // namespace wmma
}  // namespace nvcuda
#pragma clang force_cuda_host_device end
