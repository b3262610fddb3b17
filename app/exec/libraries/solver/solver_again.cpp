// cusolverRf: factors of matrices whose pattern and order of rows and columns are known from a first one, and
// their solutions. Computed on the host; fill-in need not be given.
#include <cusolverRf.h>

#include "shared/not_simulated.hpp"
#include "sparse_lu.hpp"

using namespace dojo::libraries;

struct cusolverRfCommon {
  int n = 0, count = 0;
  double zero = 0, boost = 0;
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t ones = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfFactorization_t factoring = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solving = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t fast = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  std::vector<int> rows, columns, p, q;
  std::vector<double> values;
  SparseLu lu;
  bool factored = false;
};

namespace {
constexpr cusolverStatus_t fine = CUSOLVER_STATUS_SUCCESS;

bool is_order(const std::vector<int>& order, int n) {
  std::vector<bool> seen(static_cast<size_t>(n));
  for (const int i : order) {
    if (i < 0 || i >= n || seen[size_t(i)]) return false;
    seen[size_t(i)] = true;
  }
  return true;
}

/// Takes a matrix, in host or device memory.
cusolverStatus_t take(cusolverRfHandle_t h, int n, int count, const int* rows, const int* columns,
                      const double* values, const int* p, const int* q) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n <= 0 || count <= 0 || !rows || !columns || !values || !p || !q) return CUSOLVER_STATUS_INVALID_VALUE;
  if (h->format != CUSOLVERRF_MATRIX_FORMAT_CSR) return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (!Pattern(n, count, rows, columns).valid()) return CUSOLVER_STATUS_INVALID_VALUE;
  const std::vector<int> row_order = Copied<int>(p, size_t(n)).v, column_order = Copied<int>(q, size_t(n)).v;
  if (!is_order(row_order, n) || !is_order(column_order, n)) return CUSOLVER_STATUS_INVALID_VALUE;
  h->n = n, h->count = count, h->factored = false;
  h->rows = Copied<int>(rows, size_t(n) + 1).v, h->columns = Copied<int>(columns, size_t(count)).v;
  h->values = Copied<double>(values, size_t(count)).v;
  h->p = row_order, h->q = column_order;
  return fine;
}

/// What `f` returns, of a call that is noted as not simulated; a status where the host has no memory for it.
template <class F>
cusolverStatus_t rf_call(const char* name, F f, const void* caller = __builtin_return_address(0)) {
  __cudaDojoNotSimulated(name, caller);
  return guarded(CUSOLVER_STATUS_ALLOC_FAILED, f);
}

/// A(P, Q) as a matrix of its own.
Pattern ordered(const cusolverRfCommon& h, std::vector<double>& values) {
  Pattern a(h.n, h.count, h.rows.data(), h.columns.data()), b = a;
  std::vector<int> place(size_t(h.n));
  for (int j = 0; j < h.n; ++j) place[size_t(h.q[size_t(j)])] = j;
  int to = 0;
  for (int i = 0; i < h.n; ++i) {
    const auto from = size_t(h.p[size_t(i)]);
    b.offsets[size_t(i)] = to;
    for (int e = a.offsets[from]; e < a.offsets[from + 1]; ++e, ++to) {
      b.columns[size_t(to)] = place[size_t(a.columns[size_t(e)])];
      values[size_t(to)] = h.values[size_t(e)];
    }
  }
  b.offsets[size_t(h.n)] = to;
  return b;
}
}  // namespace

extern "C" {

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* h) {
  if (!h) return CUSOLVER_STATUS_INVALID_VALUE;
  *h = new cusolverRfCommon;
  return fine;
}
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t h) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  delete h;
  return fine;
}
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t ones) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  h->format = format, h->ones = ones;
  return fine;
}
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* ones) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *format = h->format, *ones = h->ones;
  return fine;
}
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t h, double zero, double boost) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!(zero >= 0) || !(boost >= 0)) return CUSOLVER_STATUS_INVALID_VALUE;
  h->zero = zero, h->boost = boost;
  return fine;
}
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t h, double* zero, double* boost) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *zero = h->zero, *boost = h->boost;
  return fine;
}
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t factoring,
                                   cusolverRfTriangularSolve_t solving) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  h->factoring = factoring, h->solving = solving;
  return fine;
}
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t* factoring,
                                   cusolverRfTriangularSolve_t* solving) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *factoring = h->factoring, *solving = h->solving;
  return fine;
}
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t h,
                                                  cusolverRfResetValuesFastMode_t fast) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  h->fast = fast;
  return fine;
}
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t h,
                                                  cusolverRfResetValuesFastMode_t* fast) {
  if (!h) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *fast = h->fast;
  return fine;
}

#define RF_SETUP(NAME)                                                                                       \
  cusolverStatus_t NAME(int n, int count, int* rows, int* columns, double* values, int, int*, int*, double*, \
                        int, int*, int*, double*, int* p, int* q, cusolverRfHandle_t h) {                    \
    return rf_call(#NAME, [&] { return take(h, n, count, rows, columns, values, p, q); });                   \
  }
RF_SETUP(cusolverRfSetupHost)
RF_SETUP(cusolverRfSetupDevice)
cusolverStatus_t cusolverRfResetValues(int n, int count, int* rows, int* columns, double* values, int* p,
                                       int* q, cusolverRfHandle_t h) {
  if (h && (n != h->n || count != h->count)) return CUSOLVER_STATUS_INVALID_VALUE;
  return guarded(CUSOLVER_STATUS_ALLOC_FAILED,
                 [&] { return take(h, n, count, rows, columns, values, p, q); });
}
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t h) {
  return h && h->n ? fine : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t h) {
  return rf_call("cusolverRfRefactor", [&] {
    if (!h || !h->n) return CUSOLVER_STATUS_NOT_INITIALIZED;
    std::vector<double> values(static_cast<size_t>(h->count));
    const Pattern a = ordered(*h, values);
    const ZeroPivots zeros{h->zero, h->boost};
    h->lu = SparseLu(a, values.data(), -1, &zeros);
    h->factored = true;
    return h->lu.zero_pivot(h->zero) < 0 || h->boost > 0 ? fine : CUSOLVER_STATUS_ZERO_PIVOT;
  });
}
/// A x = f, x in f's place.
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t h, int* p, int* q, int sides, double*, int, double* xf,
                                 int ldxf) {
  return rf_call("cusolverRfSolve", [&] {
    if (!h || !h->factored) return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (sides != 1 || !p || !q || !xf || ldxf < h->n) return CUSOLVER_STATUS_INVALID_VALUE;
    Copied<double> f(xf, size_t(h->n));
    std::vector<double> x(static_cast<size_t>(h->n));
    for (int i = 0; i < h->n; ++i) x[size_t(i)] = f.v[size_t(h->p[size_t(i)])];
    h->lu.solve(x);
    for (int j = 0; j < h->n; ++j) f.v[size_t(h->q[size_t(j)])] = x[size_t(j)];
    f.put();
    return fine;
  });
}

}  // extern "C"
