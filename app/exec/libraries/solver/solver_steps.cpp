// cuSOLVER's sparse systems step by step (cusolverSp_LOWLEVEL_PREVIEW.h): analysis, factors, and solutions
// for several right sides, by QR and Cholesky on the host and the device and by LU on the host; and QR in
// batches. The matrix is kept and each solution computed as the calls in one step compute it
// (sparse_system.hpp).
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include "sparse_lu.hpp"
#include "sparse_system.hpp"

// Programs that make descriptors of matrices have cuSPARSE.
extern "C" [[gnu::weak]] cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t);

namespace {
using namespace dojo::libraries;
constexpr cusolverStatus_t success = CUSOLVER_STATUS_SUCCESS;

/// The matrix that the steps work on. Its values are of the type that the calls' names say.
struct KeptMatrix {
  int n = 0, count = 0;
  std::vector<int> rows, columns;
  std::vector<std::byte> values;
  SparseLu lu;  ///< of csrlu only, in double precision

  cusolverStatus_t analyse(int m, int of_columns, int entries, const int* r, const int* c) {
    if (m < 0 || entries < 0) return CUSOLVER_STATUS_INVALID_VALUE;
    if (m != of_columns) return CUSOLVER_STATUS_NOT_SUPPORTED;  // least squares
    n = m, count = entries;
    rows = Copied<int>(r, size_t(n) + 1).v, columns = Copied<int>(c, size_t(count)).v;
    return Pattern(n, count, rows.data(), columns.data()).valid() ? success : CUSOLVER_STATUS_INVALID_VALUE;
  }
  /// A - mu I, in the analysed pattern.
  template <class T>
  cusolverStatus_t keep(const T* v, double mu) {
    std::vector<T> all = Copied<T>(v, size_t(count)).v;
    for (int i = 0; i < n; ++i)
      for (int e = rows[size_t(i)] - rows[0]; e < rows[size_t(i) + 1] - rows[0]; ++e)
        if (columns[size_t(e)] - rows[0] == i) all[size_t(e)] -= T(Real<T>(mu));
    const auto* first = reinterpret_cast<const std::byte*>(all.data());
    values.assign(first, first + all.size() * sizeof(T));
    return success;
  }
  template <class T>
  const T* kept() const {
    return reinterpret_cast<const T*>(values.data());
  }
  /// `singularity` as solve_sparse().
  template <class T>
  cusolverStatus_t solve(const T* b, T* x, double tolerance = 0, int* singularity = nullptr) const {
    if (values.size() != size_t(count) * sizeof(T)) return CUSOLVER_STATUS_INVALID_VALUE;
    return solve_sparse(n, count, kept<T>(), rows.data(), columns.data(), b, tolerance, x, singularity);
  }
  template <class T>
  cusolverStatus_t zero_pivot(double tolerance, int* position) const {
    const std::vector<T> b(static_cast<size_t>(n));
    std::vector<T> x(static_cast<size_t>(n));
    return solve(b.data(), x.data(), tolerance, position);
  }
};
/// Nothing uses the two buffers that programs allocate.
cusolverStatus_t small_buffers(size_t* internal, size_t* workspace) {
  *internal = *workspace = 16;
  return success;
}
}  // namespace

struct csrqrInfo : KeptMatrix {};
struct csrqrInfoHost : KeptMatrix {};
struct csrcholInfo : KeptMatrix {};
struct csrcholInfoHost : KeptMatrix {};
struct csrluInfoHost : KeptMatrix {};

extern "C" {

#define INFO_OBJECTS(NAME, INFO)                            \
  cusolverStatus_t cusolverSpCreate##NAME(INFO##_t* info) { \
    *info = new INFO;                                       \
    return success;                                         \
  }                                                         \
  cusolverStatus_t cusolverSpDestroy##NAME(INFO##_t info) { \
    delete info;                                            \
    return success;                                         \
  }
INFO_OBJECTS(CsrqrInfo, csrqrInfo)
INFO_OBJECTS(CsrqrInfoHost, csrqrInfoHost)
INFO_OBJECTS(CsrcholInfo, csrcholInfo)
INFO_OBJECTS(CsrcholInfoHost, csrcholInfoHost)
INFO_OBJECTS(CsrluInfoHost, csrluInfoHost)

#define ANALYSIS(NAME, INFO, SIZES, M, N)                                                                  \
  cusolverStatus_t cusolverSpX##NAME(cusolverSpHandle_t h, SIZES, int count, const cusparseMatDescr_t,     \
                                     const int* rows, const int* columns, INFO##_t info) {                 \
    return solver_call(h, "cusolverSpX" #NAME, [&] { return info->analyse(M, N, count, rows, columns); }); \
  }
#define TWO_SIZES int m, int n
#define TWO_UNUSED int, int
ANALYSIS(csrqrAnalysis, csrqrInfo, TWO_SIZES, m, n)
ANALYSIS(csrqrAnalysisHost, csrqrInfoHost, TWO_SIZES, m, n)
ANALYSIS(csrqrAnalysisBatched, csrqrInfo, TWO_SIZES, m, n)
ANALYSIS(csrcholAnalysis, csrcholInfo, int n, n, n)
ANALYSIS(csrcholAnalysisHost, csrcholInfoHost, int n, n, n)
ANALYSIS(csrluAnalysisHost, csrluInfoHost, int n, n, n)

// What QR, Cholesky and LU share. X: the letter of the type; S: "" or "Host".
#define PIVOTS(X, T, TOLERANCE, NAME, INFO)                                                      \
  cusolverStatus_t cusolverSp##X##NAME(cusolverSpHandle_t h, INFO##_t info, TOLERANCE tolerance, \
                                       int* position) {                                          \
    return solver_call(h, "cusolverSp" #X #NAME, [&] {                                           \
      using Plain = std::remove_pointer_t<decltype(as(static_cast<T*>(nullptr)))>;               \
      return info->zero_pivot<Plain>(double(tolerance), position);                               \
    });                                                                                          \
  }
#define BUFFERS(X, T, NAME, INFO, SIZES)                                                                   \
  cusolverStatus_t cusolverSp##X##NAME(cusolverSpHandle_t, SIZES, int, const cusparseMatDescr_t, const T*, \
                                       const int*, const int*, INFO##_t, size_t* internal,                 \
                                       size_t* workspace) {                                                \
    return small_buffers(internal, workspace);                                                             \
  }
#define FACTORS(X, T, NAME, INFO)                                                                           \
  cusolverStatus_t cusolverSp##X##NAME(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t,    \
                                       const T* values, const int* rows, const int* columns, INFO##_t info, \
                                       void*) {                                                             \
    return solver_call(h, "cusolverSp" #X #NAME, [&] {                                                      \
      if (const cusolverStatus_t s = info->analyse(n, n, count, rows, columns)) return s;                   \
      return info->keep(as(values), 0);                                                                     \
    });                                                                                                     \
  }
#define SOLVES_KEPT(X, T, NAME, INFO)                                                                       \
  cusolverStatus_t cusolverSp##X##NAME(cusolverSpHandle_t h, int, const T* b, T* x, INFO##_t info, void*) { \
    return solver_call(h, "cusolverSp" #X #NAME, [&] { return info->solve(as(b), as(x)); });                \
  }
#define QR(X, T, TOLERANCE, S)                                                                              \
  BUFFERS(X, T, csrqrBufferInfo##S, csrqrInfo##S, TWO_UNUSED)                                               \
  PIVOTS(X, T, TOLERANCE, csrqrZeroPivot##S, csrqrInfo##S)                                                  \
  cusolverStatus_t cusolverSp##X##csrqrSetup##S(cusolverSpHandle_t h, int m, int n, int count,              \
                                                const cusparseMatDescr_t, const T* values, const int* rows, \
                                                const int* columns, T mu, csrqrInfo##S##_t info) {          \
    return solver_call(h, "cusolverSp" #X "csrqrSetup" #S, [&] {                                            \
      if (const cusolverStatus_t s = info->analyse(m, n, count, rows, columns)) return s;                   \
      return info->keep(as(values), double(std::real(*as(&mu))));                                           \
    });                                                                                                     \
  }                                                                                                         \
  cusolverStatus_t cusolverSp##X##csrqrFactor##S(cusolverSpHandle_t h, int, int, int, T* b, T* x,           \
                                                 csrqrInfo##S##_t info, void*) {                            \
    return solver_call(h, "cusolverSp" #X "csrqrFactor" #S,                                                 \
                       [&] { return b && x ? info->solve(as(b), as(x)) : success; });                       \
  }                                                                                                         \
  cusolverStatus_t cusolverSp##X##csrqrSolve##S(cusolverSpHandle_t h, int, int, T* b, T* x,                 \
                                                csrqrInfo##S##_t info, void*) {                             \
    return solver_call(h, "cusolverSp" #X "csrqrSolve" #S, [&] { return info->solve(as(b), as(x)); });      \
  }
#define CHOLESKY(X, T, TOLERANCE, S)                           \
  BUFFERS(X, T, csrcholBufferInfo##S, csrcholInfo##S, int)     \
  PIVOTS(X, T, TOLERANCE, csrcholZeroPivot##S, csrcholInfo##S) \
  FACTORS(X, T, csrcholFactor##S, csrcholInfo##S)              \
  SOLVES_KEPT(X, T, csrcholSolve##S, csrcholInfo##S)
#define QR_IN_BATCHES(X, T)                                                                               \
  cusolverStatus_t cusolverSp##X##csrqrBufferInfoBatched(                                                 \
      cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const T*, const int*, const int*, int, \
      csrqrInfo_t, size_t* internal, size_t* workspace) {                                                 \
    return small_buffers(internal, workspace);                                                            \
  }                                                                                                       \
  cusolverStatus_t cusolverSp##X##csrqrsvBatched(                                                         \
      cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t, const T* values,           \
      const int* rows, const int* columns, const T* b, T* x, int batches, csrqrInfo_t, void*) {           \
    return solver_call(h, "cusolverSp" #X "csrqrsvBatched", [&] {                                         \
      KeptMatrix one;                                                                                     \
      if (const cusolverStatus_t s = one.analyse(m, n, count, rows, columns)) return s;                   \
      for (long i = 0; i < batches; ++i) {                                                                \
        one.keep(as(values) + i * count, 0);                                                              \
        if (const cusolverStatus_t s = one.solve(as(b) + i * m, as(x) + i * n)) return s;                 \
      }                                                                                                   \
      return success;                                                                                     \
    });                                                                                                   \
  }
#define ALL_STEPS(X, T, TOLERANCE) \
  QR(X, T, TOLERANCE, )            \
  QR(X, T, TOLERANCE, Host)        \
  CHOLESKY(X, T, TOLERANCE, )      \
  CHOLESKY(X, T, TOLERANCE, Host)  \
  QR_IN_BATCHES(X, T)
ALL_STEPS(S, float, float)
ALL_STEPS(D, double, double)
ALL_STEPS(C, cuComplex, float)
ALL_STEPS(Z, cuDoubleComplex, double)

// LU, whose factors programs take out to factor other matrices of the pattern (cusolverRf): double precision.
BUFFERS(D, double, csrluBufferInfoHost, csrluInfoHost, int)
SOLVES_KEPT(D, double, csrluSolveHost, csrluInfoHost)
cusolverStatus_t cusolverSpDcsrluFactorHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t,
                                            const double* values, const int* rows, const int* columns,
                                            csrluInfoHost_t info, double threshold, void*) {
  return solver_call(h, "cusolverSpDcsrluFactorHost", [&] {
    if (const cusolverStatus_t s = info->analyse(n, n, count, rows, columns)) return s;
    info->keep(values, 0);
    const Pattern a(n, count, rows, columns);
    info->lu = SparseLu(a, info->kept<double>(), threshold);
    return success;
  });
}
cusolverStatus_t cusolverSpDcsrluZeroPivotHost(cusolverSpHandle_t h, csrluInfoHost_t info, double tolerance,
                                               int* position) {
  return solver_call(h, "cusolverSpDcsrluZeroPivotHost", [&] {
    *position = info->lu.zero_pivot(tolerance);
    return success;
  });
}
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t h, int* of_l, int* of_u, csrluInfoHost_t info) {
  return solver_call(h, "cusolverSpXcsrluNnzHost", [&] {
    *of_l = info->lu.l().entries() - info->n, *of_u = info->lu.u().entries();
    return success;
  });
}
/// A(P, Q) = L U. L's diagonal of ones is not stored.
cusolverStatus_t cusolverSpDcsrluExtractHost(cusolverSpHandle_t h, int* p, int* q,
                                             const cusparseMatDescr_t of_l, double* l_values, int* l_rows,
                                             int* l_columns, const cusparseMatDescr_t of_u, double* u_values,
                                             int* u_rows, int* u_columns, csrluInfoHost_t info, void*) {
  return solver_call(h, "cusolverSpDcsrluExtractHost", [&] {
    const auto base = [](cusparseMatDescr_t d) {
      return d && &cusparseGetMatIndexBase ? int(cusparseGetMatIndexBase(d)) : 0;
    };
    info->lu.l().copy(base(of_l), true, l_rows, l_columns, l_values);
    info->lu.u().copy(base(of_u), false, u_rows, u_columns, u_values);
    std::iota(p, p + info->n, 0);
    std::copy(info->lu.columns().begin(), info->lu.columns().end(), q);
    return success;
  });
}

}  // extern "C"
