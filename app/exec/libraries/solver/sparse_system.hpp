#pragma once
// Sparse systems of cuSOLVER's stand-in: the pattern of a matrix in CSR, an order of its rows, and solutions
// as LU in bands by LAPACK.
#include <cusolverSp.h>

#include <cmath>
#include <numeric>

#include "solver.hpp"

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace dojo::libraries {

/// Rows of a square matrix, numbered from 0; `base` is what the program counts from, as its first offset
/// says.
struct Pattern {
  std::vector<int> offsets, columns;
  int base = 0;
  Pattern(int n, int count, const int* rows, const int* cols)
      : offsets(Copied<int>(rows, size_t(n) + 1).v), columns(Copied<int>(cols, size_t(count)).v) {
    base = offsets[0];
    for (int& o : offsets) o -= base;
    for (int& c : columns) c -= base;
  }
  int rows() const { return int(offsets.size()) - 1; }
  bool valid() const {
    for (int i = 0; i < rows(); ++i)
      if (offsets[size_t(i)] > offsets[size_t(i) + 1]) return false;
    return offsets.back() == int(columns.size()) &&
           std::all_of(columns.begin(), columns.end(), [&](int c) { return c >= 0 && c < rows(); });
  }
};

/// Reverse Cuthill-McKee on the pattern of A + A^T: order[new row] = old row. Each part begins at a row with
/// the fewest neighbours.
inline std::vector<int> narrow_order(const Pattern& a) {
  const int n = a.rows();
  std::vector<std::vector<int>> beside(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int e = a.offsets[size_t(i)]; e < a.offsets[size_t(i) + 1]; ++e)
      if (const int j = a.columns[size_t(e)]; i != j)
        beside[size_t(i)].push_back(j), beside[size_t(j)].push_back(i);
  for (auto& b : beside) {
    std::sort(b.begin(), b.end());
    b.erase(std::unique(b.begin(), b.end()), b.end());
  }
  const auto fewer = [&](int i, int j) { return beside[size_t(i)].size() < beside[size_t(j)].size(); };
  std::vector<int> by_degree(static_cast<size_t>(n)), order;
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::stable_sort(by_degree.begin(), by_degree.end(), fewer);
  std::vector<bool> seen(static_cast<size_t>(n));
  for (const int first : by_degree) {
    if (seen[size_t(first)]) continue;
    seen[size_t(first)] = true;
    order.push_back(first);
    for (size_t k = order.size() - 1; k < order.size(); ++k) {
      std::vector<int> next;
      for (const int j : beside[size_t(order[k])])
        if (!seen[size_t(j)]) seen[size_t(j)] = true, next.push_back(j);
      std::stable_sort(next.begin(), next.end(), fewer);
      order.insert(order.end(), next.begin(), next.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Solves A x = b. `singularity` (host) is -1, or the first row of U, in A's numbers, whose pivot is within
/// `tol`.
template <class T>
cusolverStatus_t solve_sparse(int n, int count, const T* values, const int* rows, const int* cols, const T* b,
                              double tol, T* x, int* singularity) {
  if (n < 0 || count < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  if (singularity) *singularity = -1;
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  const Pattern a(n, count, rows, cols);
  if (!a.valid()) return CUSOLVER_STATUS_INVALID_VALUE;
  const Copied<T> v(values, size_t(count)), side(b, size_t(n));
  const std::vector<int> order = narrow_order(a);
  std::vector<int> place(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) place[size_t(order[size_t(i)])] = i;
  int below = 0, above = 0;
  const auto each = [&](auto run) {
    for (int i = 0; i < n; ++i)
      for (int e = a.offsets[size_t(i)]; e < a.offsets[size_t(i) + 1]; ++e)
        run(place[size_t(i)], place[size_t(a.columns[size_t(e)])], v.v[size_t(e)]);
  };
  each([&](int i, int j, T) { below = std::max(below, i - j), above = std::max(above, j - i); });
  // LAPACK: element (i, j) of the band in row below + above + i - j of column j; `below` rows more for
  // pivots.
  const int leading = 2 * below + above + 1, one = 1;
  if (int64_t(leading) * n > (int64_t(1) << 30)) return CUSOLVER_STATUS_ALLOC_FAILED;
  std::vector<T> band(size_t(leading) * size_t(n)), solution(static_cast<size_t>(n));
  each([&](int i, int j, T value) {
    band[size_t(j) * size_t(leading) + size_t(below + above + i - j)] += value;
  });
  for (int i = 0; i < n; ++i) solution[size_t(i)] = side.v[size_t(order[size_t(i)])];
  std::vector<int> swaps(static_cast<size_t>(n));
  int status = 0;
  if (!lapack<T>("gbsv", &n, &below, &above, &one, band.data(), &leading, swaps.data(), solution.data(), &n,
                 &status))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < n && singularity && *singularity < 0; ++i)
    if (double(std::abs(band[size_t(i) * size_t(leading) + size_t(below + above)])) <= tol)
      *singularity = order[size_t(i)];
  if (status > 0) {
    if (singularity && *singularity < 0) *singularity = order[size_t(status) - 1];
    return CUSOLVER_STATUS_SUCCESS;
  }
  Copied<T> out(x, size_t(n));
  for (int i = 0; i < n; ++i) out.v[size_t(order[size_t(i)])] = solution[size_t(i)];
  out.put();
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace dojo::libraries
