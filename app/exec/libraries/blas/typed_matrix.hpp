#pragma once
// Matrices whose type is an argument, as op(M)(i, j), and their products.
#include <vector>

#include "shared/numbers.hpp"
#include "shared/product.hpp"

namespace dojo::libraries {

/// A matrix in device memory. Elements (i, j) and (i + 1, j) are `step_i` elements apart.
struct TypedMatrix {
  cudaDataType type;
  size_t size;
  long step_i, step_j;
  Copied<std::byte> all;
  TypedMatrix(const void* at, cudaDataType t, long rows, long columns, long si, long sj)
      : type(t),
        size(bytes_of(t)),
        step_i(si),
        step_j(sj),
        all(static_cast<const std::byte*>(at),
            rows > 0 && columns > 0 ? size * size_t((rows - 1) * si + (columns - 1) * sj + 1) : 0) {}
  size_t place(long i, long j) const { return size_t(i * step_i + j * step_j); }
  double operator()(long i, long j) const { return number(&all.v[size * place(i, j)], type); }
  void set(long i, long j, double v) { put_number(&all.v[size * place(i, j)], type, v); }
  /// All elements in the same places. Each type but double and int32_t fits a float.
  template <class Wide>
  std::vector<Wide> widened() const {
    std::vector<Wide> wide(all.v.size() / size);
    with_reader(type, [&](auto read) {
      for (size_t i = 0; i < wide.size(); ++i) wide[i] = Wide(read(&all.v[i * size]));
    });
    return wide;
  }
  bool fits_float() const { return type != CUDA_R_64F && type != CUDA_R_32I; }
};

template <class Wide, class Put>
void widened_product(long m, long n, long k, const TypedMatrix& a, const TypedMatrix& b, const Put& put) {
  const std::vector<Wide> left = a.widened<Wide>(), right = b.widened<Wide>();
  product(
      m, n, k, [&](long i, long l) { return double(left[a.place(i, l)]); },
      [&](long l, long j) { return double(right[b.place(l, j)]); }, put);
}
/// put(i, j, sum) for every element of a b.
template <class Put>
void typed_product(long m, long n, long k, const TypedMatrix& a, const TypedMatrix& b, const Put& put) {
  if (a.fits_float() && b.fits_float())
    widened_product<float>(m, n, k, a, b, put);
  else
    widened_product<double>(m, n, k, a, b, put);
}

}  // namespace dojo::libraries
