// cuSOLVER's calls for sparse systems (cusolverSp): solutions by QR, LU or Cholesky, all computed as LU in
// bands by LAPACK after the rows were ordered by reverse Cuthill-McKee; and the calls that order a matrix on
// the host. The order asked for (reorder, symamd, metisnd) changes what a GPU computes with, not the
// solution: it is this one.
#include "sparse_system.hpp"

using namespace dojo::libraries;

namespace {
constexpr cusolverStatus_t good = CUSOLVER_STATUS_SUCCESS;
}

extern "C" {

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* h) {
  *h = new cusolverSpContext;
  return good;
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t h) {
  delete h;
  return good;
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t h, cudaStream_t s) {
  h->stream = s;
  return good;
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return good;
}

// TOLERANCE: float for single precision, of complex numbers, too.
#define SOLVES(NAME, T, TOLERANCE)                                                                         \
  cusolverStatus_t NAME(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t, const T* values, \
                        const int* rows, const int* columns, const T* b, TOLERANCE tol, int, T* x,         \
                        int* singularity) {                                                                \
    return solver_call(h, #NAME, [&] {                                                                     \
      return solve_sparse(n, count, as(values), rows, columns, as(b), double(tol), as(x), singularity);    \
    });                                                                                                    \
  }
#define EVERY_WAY(S, T, TOLERANCE)                    \
  SOLVES(cusolverSp##S##csrlsvqr, T, TOLERANCE)       \
  SOLVES(cusolverSp##S##csrlsvqrHost, T, TOLERANCE)   \
  SOLVES(cusolverSp##S##csrlsvchol, T, TOLERANCE)     \
  SOLVES(cusolverSp##S##csrlsvcholHost, T, TOLERANCE) \
  SOLVES(cusolverSp##S##csrlsvluHost, T, TOLERANCE)
EVERY_WAY(S, float, float)
EVERY_WAY(D, double, double)
EVERY_WAY(C, cuComplex, float)
EVERY_WAY(Z, cuDoubleComplex, double)

/// p[new row] = old row, on the host as all arguments are.
#define ORDERS(NAME, ...)                                                                                  \
  cusolverStatus_t NAME(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t, const int* rows, \
                        const int* columns, __VA_ARGS__ int* p) {                                          \
    return solver_call(h, #NAME, [&] {                                                                     \
      if (n < 0 || count < 0) return CUSOLVER_STATUS_INVALID_VALUE;                                        \
      const Pattern a(n, count, rows, columns);                                                            \
      if (!a.valid()) return CUSOLVER_STATUS_INVALID_VALUE;                                                \
      const std::vector<int> order = narrow_order(a);                                                      \
      std::copy(order.begin(), order.end(), p);                                                            \
      return good;                                                                                         \
    });                                                                                                    \
  }
ORDERS(cusolverSpXcsrsymrcmHost)
ORDERS(cusolverSpXcsrsymmdqHost)
ORDERS(cusolverSpXcsrsymamdHost)
ORDERS(cusolverSpXcsrmetisndHost, const int64_t*, )

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int, int, int,
                                                   const cusparseMatDescr_t, const int*, const int*,
                                                   const int*, const int*, size_t* bytes) {
  *bytes = 16;  // nothing uses it; programs allocate it
  return good;
}
/// B = A(p, q), in A's place; map[entry of B] = map[entry of A].
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t h, int m, int n, int count,
                                        const cusparseMatDescr_t, int* rows, int* columns, const int* p,
                                        const int* q, int* map, void*) {
  return solver_call(h, "cusolverSpXcsrpermHost", [&] {
    if (m < 0 || n < 0 || count < 0) return CUSOLVER_STATUS_INVALID_VALUE;
    const std::vector<int> offsets(rows, rows + m + 1), from(columns, columns + count),
        numbers(map, map + count);
    const int base = offsets[0];
    std::vector<int> place(static_cast<size_t>(n));
    for (int j = 0; j < n; ++j) {
      if (q[j] < 0 || q[j] >= n) return CUSOLVER_STATUS_INVALID_VALUE;
      place[size_t(q[j])] = j;
    }
    int to = 0;
    for (int i = 0; i < m; ++i) {
      if (p[i] < 0 || p[i] >= m) return CUSOLVER_STATUS_INVALID_VALUE;
      std::vector<std::pair<int, int>> row;  // new column, number in A
      for (int e = offsets[size_t(p[i])] - base; e < offsets[size_t(p[i]) + 1] - base; ++e)
        row.emplace_back(place[size_t(from[size_t(e)] - base)], numbers[size_t(e)]);
      std::sort(row.begin(), row.end());
      rows[i] = to + base;
      for (const auto& [column, number] : row) columns[to] = column + base, map[to++] = number;
    }
    rows[m] = to + base;
    return good;
  });
}
/// Whether the pattern is symmetric; row i ends before ends[i].
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t h, int n, int, const cusparseMatDescr_t,
                                         const int* rows, const int* ends, const int* columns,
                                         int* symmetric) {
  return solver_call(h, "cusolverSpXcsrissymHost", [&] {
    std::vector<std::pair<int, int>> all, turned;
    for (int i = 0; i < n; ++i)
      for (int e = rows[i] - rows[0]; e < ends[i] - rows[0]; ++e) {
        all.emplace_back(i, columns[e] - rows[0]);
        turned.emplace_back(columns[e] - rows[0], i);
      }
    std::sort(all.begin(), all.end());
    std::sort(turned.begin(), turned.end());
    *symmetric = all == turned;
    return good;
  });
}

}  // extern "C"
