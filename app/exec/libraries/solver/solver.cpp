// libcusolver.so.12 of `warpdojo exec`: the dense calls that programs use most, computed by LAPACK on the
// host (solver.hpp). They have no counters and no modelled time. Workspaces of the program are asked for and
// not used.
#include "solver.hpp"

using namespace dojo::libraries;

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* h) {
  *h = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t h) {
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t s) {
  h->stream = s;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int* version) {
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

#define SOLVER_OF(S, T, R, ORGQR, ORMQR, SYEVD, SYGVD)                                                       \
  cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* length) { \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*, int* pivots,  \
                                        int* info) {                                                         \
    return solver_call(h, "cusolverDn" #S "getrf",                                                           \
                       [&] { return factor_lu(m, n, as(a), lda, pivots, info); });                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns,      \
                                        const T* a, int lda, const int* pivots, T* b, int ldb, int* info) {  \
    return solver_call(h, "cusolverDn" #S "getrs",                                                           \
                       [&] { return solve_lu(op, n, columns, as(a), lda, pivots, as(b), ldb, info); });      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,     \
                                                   int* length) {                                            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,   \
                                        T*, int, int* info) {                                                \
    return solver_call(h, "cusolverDn" #S "potrf",                                                           \
                       [&] { return in_place("potrf", part, n, as(a), lda, info); });                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,     \
                                                   int* length) {                                            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potri(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,   \
                                        T*, int, int* info) {                                                \
    return solver_call(h, "cusolverDn" #S "potri",                                                           \
                       [&] { return in_place("potri", part, n, as(a), lda, info); });                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t part, int n, int columns,     \
                                        const T* a, int lda, T* b, int ldb, int* info) {                     \
    return solver_call(h, "cusolverDn" #S "potrs",                                                           \
                       [&] { return solve_cholesky(part, n, columns, as(a), lda, as(b), ldb, info); });      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* length) { \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T*, int,  \
                                        int* info) {                                                         \
    return solver_call(h, "cusolverDn" #S "geqrf",                                                           \
                       [&] { return factor_qr(m, n, as(a), lda, as(tau), info); });                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ORGQR##_bufferSize(cusolverDnHandle_t, int m, int n, int, const T*, int,   \
                                                     const T*, int* length) {                                \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ORGQR(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda,            \
                                        const T* tau, T*, int, int* info) {                                  \
    return solver_call(h, "cusolverDn" #S #ORGQR,                                                            \
                       [&] { return make_q(m, n, k, as(a), lda, as(tau), info); });                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ORMQR##_bufferSize(cusolverDnHandle_t, cublasSideMode_t,                   \
                                                     cublasOperation_t, int m, int n, int, const T*, int,    \
                                                     const T*, const T*, int, int* length) {                 \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ORMQR(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op,   \
                                        int m, int n, int k, const T* a, int lda, const T* tau, T* c,        \
                                        int ldc, T*, int, int* info) {                                       \
    return solver_call(h, "cusolverDn" #S #ORMQR, [&] {                                                      \
      return multiply_q(side, op, m, n, k, as(a), lda, as(tau), as(c), ldc, info);                           \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVD##_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,                  \
                                                     cublasFillMode_t, int n, const T*, int, const R*,       \
                                                     int* length) {                                          \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVD(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t part, \
                                        int n, T* a, int lda, R* w, T*, int, int* info) {                    \
    return solver_call(h, "cusolverDn" #S #SYEVD,                                                            \
                       [&] { return eigenvalues(0, mode, part, n, as(a), lda, none(a), 1, w, info); });      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVD##_bufferSize(cusolverDnHandle_t, cusolverEigType_t,                  \
                                                     cusolverEigMode_t, cublasFillMode_t, int n, const T*,   \
                                                     int, const T*, int, const R*, int* length) {            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVD(cusolverDnHandle_t h, cusolverEigType_t type,                        \
                                        cusolverEigMode_t mode, cublasFillMode_t part, int n, T* a, int lda, \
                                        T* b, int ldb, R* w, T*, int, int* info) {                           \
    return solver_call(h, "cusolverDn" #S #SYGVD, [&] {                                                      \
      return eigenvalues(int(type), mode, part, n, as(a), lda, as(b), ldb, w, info);                         \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t, int m, int n, int* length) {          \
    return m < n ? CUSOLVER_STATUS_INVALID_VALUE : size_of(m, n, length);                                    \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char u, signed char v, int m, int n,    \
                                        T* a, int lda, R* s, T* left, int ldu, T* right, int ldvt, T*, int,  \
                                        R*, int* info) {                                                     \
    return solver_call(h, "cusolverDn" #S "gesvd", [&] {                                                     \
      return singular_values(char(u), char(v), m, n, as(a), lda, s, as(left), ldu, as(right), ldvt, info);   \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a[],   \
                                               int lda, int* info, int count) {                              \
    return solver_call(h, "cusolverDn" #S "potrfBatched",                                                    \
                       [&] { return factor_batch(part, n, as(a), lda, info, count); });                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n,           \
                                               int columns, T* a[], int lda, T* b[], int ldb, int* info,     \
                                               int count) {                                                  \
    return solver_call(h, "cusolverDn" #S "potrsBatched",                                                    \
                       [&] { return solve_batch(part, n, columns, as(a), lda, as(b), ldb, info, count); });  \
  }
SOLVER_OF(S, float, float, orgqr, ormqr, syevd, sygvd)
SOLVER_OF(D, double, double, orgqr, ormqr, syevd, sygvd)
SOLVER_OF(C, cuComplex, float, ungqr, unmqr, heevd, hegvd)
SOLVER_OF(Z, cuDoubleComplex, double, ungqr, unmqr, heevd, hegvd)

}  // extern "C"
