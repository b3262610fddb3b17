// cuSPARSE's older calls that count and sort: entries of a dense matrix, and the indices in rows or columns.
#include <algorithm>
#include <numeric>

#include "sparse_arrays.hpp"

namespace {
using namespace dojo::libraries;

/// How many elements of each row or column of a matrix by column are not 0; `total` in host or device memory.
template <class T>
void count_entries(cusparseDirection_t direction, int m, int n, const T* a, int lda, int* per_line,
                   int* total) {
  need(m >= 0 && n >= 0 && lda >= m);
  const bool by_row = direction == CUSPARSE_DIRECTION_ROW;
  const Copied<T> all(a, n > 0 && m > 0 ? size_t(n - 1) * size_t(lda) + size_t(m) : 0);
  std::vector<int> counts(size_t(by_row ? m : n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      counts[size_t(by_row ? i : j)] += all.v[size_t(j) * size_t(lda) + size_t(i)] != T(0);
  if (!counts.empty()) cudaMemcpy(per_line, counts.data(), counts.size() * sizeof(int), cudaMemcpyDefault);
  set_scalar(total, std::accumulate(counts.begin(), counts.end(), 0));
}

/// Sorts the indices of each of `lines` rows (or columns), and `p`, which may be null, along with them.
void sort_lines(int lines, int count, const int* offsets, int* indices, int* p) {
  need(lines >= 0 && count >= 0);
  const Copied<int> of(offsets, size_t(lines) + 1);
  Copied<int> all(indices, size_t(count)), places(p, p ? size_t(count) : 0);
  std::vector<int> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (size_t line = 0; line < size_t(lines); ++line) {
    const int first = of.v[line] - of.v[0], last = of.v[line + 1] - of.v[0];
    need(first >= 0 && first <= last && last <= count);
    std::stable_sort(order.begin() + first, order.begin() + last,
                     [&](int a, int b) { return all.v[size_t(a)] < all.v[size_t(b)]; });
  }
  const auto moved = [&](Copied<int>& array) {
    const std::vector<int> old = array.v;
    for (size_t i = 0; i < array.v.size(); ++i) array.v[i] = old[size_t(order[i])];
    array.put();
  };
  moved(all), moved(places);
}
}  // namespace

extern "C" {

#define COUNTS(S, T)                                                                                 \
  cusparseStatus_t cusparse##S##nnz(cusparseHandle_t h, cusparseDirection_t direction, int m, int n, \
                                    const cusparseMatDescr_t, const T* a, int lda, int* per_line,    \
                                    int* total) {                                                    \
    return computed(h, "cusparse" #S "nnz", __builtin_return_address(0),                             \
                    [&] { count_entries(direction, m, n, a, lda, per_line, total); });               \
  }
COUNTS(S, float)
COUNTS(D, double)

#define SORTS(KIND, LINES)                                                                                   \
  cusparseStatus_t cusparseX##KIND##sort_bufferSizeExt(cusparseHandle_t, int, int, int, const int*,          \
                                                       const int*, size_t* bytes) {                          \
    return no_buffer(bytes);                                                                                 \
  }                                                                                                          \
  cusparseStatus_t cusparseX##KIND##sort(cusparseHandle_t h, int m, int n, int count,                        \
                                         const cusparseMatDescr_t, const int* offsets, int* indices, int* p, \
                                         void*) {                                                            \
    return computed(h, "cusparseX" #KIND "sort", __builtin_return_address(0), [&] {                          \
      need(m >= 0 && n >= 0);                                                                                \
      sort_lines(LINES, count, offsets, indices, p);                                                         \
    });                                                                                                      \
  }
SORTS(csr, m)
SORTS(csc, n)

}  // extern "C"
