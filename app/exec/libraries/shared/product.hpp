#pragma once
// Products of matrices, with sums of double in the order of their index.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace dojo::libraries {

/// put(i, j, sum) for every element of a product of m by n elements, each a sum over k of left(i, l) right(l,
/// j). Both give doubles. Blocks of 8 rows and 4 columns keep their sums in registers.
template <class Left, class Right, class Put>
void product(long m, long n, long k, const Left& left, const Right& right, const Put& put) {
  constexpr long rows = 8, columns = 4;
  constexpr long wide = 64;  // columns whose factors are held: 64 * k doubles
  using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
  std::vector<double> packed_left(size_t(rows * k)), packed_right(size_t(wide * k));
  for (long j0 = 0; j0 < n; j0 += wide) {
    const long last = std::min(n, j0 + wide);
    for (long j = j0; j < last; j += columns)
      for (long l = 0; l < k; ++l)
        for (long c = 0; c < columns; ++c)
          packed_right[size_t((j - j0) * k + l * columns + c)] = j + c < last ? right(l, j + c) : 0;
    for (long i0 = 0; i0 < m; i0 += rows) {
      for (long l = 0; l < k; ++l)
        for (long r = 0; r < rows; ++r) packed_left[size_t(l * rows + r)] = i0 + r < m ? left(i0 + r, l) : 0;
      for (long j = j0; j < last; j += columns) {
        Four low[columns] = {}, high[columns] = {};
        const double *a = packed_left.data(), *b = packed_right.data() + (j - j0) * k;
        for (long l = 0; l < k; ++l, a += rows, b += columns) {
          const Four above = *reinterpret_cast<const Four*>(a), below = *reinterpret_cast<const Four*>(a + 4);
#pragma GCC unroll 4
          for (long c = 0; c < columns; ++c) {
            low[c] += above * b[c];
            high[c] += below * b[c];
          }
        }
        for (long c = 0; c < columns && j + c < last; ++c)
          for (long r = 0; r < rows && i0 + r < m; ++r)
            put(i0 + r, j + c, r < 4 ? low[c][r] : high[c][r - 4]);
      }
    }
  }
}

}  // namespace dojo::libraries
