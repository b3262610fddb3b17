// libcusolver.so.12 of `warpdojo exec`: the dense calls that programs use most, computed by LAPACK on the
// host (solver.hpp). They have no counters and no modelled time. Workspaces of the program are asked for and
// not used.
#include "solver.hpp"

using namespace dojo::libraries;

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

namespace {
/// Elements of a workspace that programs allocate, for a matrix of this shape.
cusolverStatus_t size_of(int m, int n, int* length) {
  if (m < 0 || n < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  *length = int(std::clamp<int64_t>(int64_t(m) * n, 1, INT32_MAX));
  return CUSOLVER_STATUS_SUCCESS;
}
}  // namespace

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

#define SOLVER_OF(S, T)                                                                                      \
  cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* length) { \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*, int* pivots,  \
                                        int* info) {                                                         \
    WARPDOJO_BEGIN("cusolverDn" #S "getrf");                                                                 \
    return factor_lu(m, n, a, lda, pivots, info);                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns,      \
                                        const T* a, int lda, const int* pivots, T* b, int ldb, int* info) {  \
    WARPDOJO_BEGIN("cusolverDn" #S "getrs");                                                                 \
    return solve_lu(op, n, columns, a, lda, pivots, b, ldb, info);                                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,     \
                                                   int* length) {                                            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,   \
                                        T*, int, int* info) {                                                \
    WARPDOJO_BEGIN("cusolverDn" #S "potrf");                                                                 \
    return in_place("potrf", part, n, a, lda, info);                                                         \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,     \
                                                   int* length) {                                            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potri(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,   \
                                        T*, int, int* info) {                                                \
    WARPDOJO_BEGIN("cusolverDn" #S "potri");                                                                 \
    return in_place("potri", part, n, a, lda, info);                                                         \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t part, int n, int columns,     \
                                        const T* a, int lda, T* b, int ldb, int* info) {                     \
    WARPDOJO_BEGIN("cusolverDn" #S "potrs");                                                                 \
    return solve_cholesky(part, n, columns, a, lda, b, ldb, info);                                           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* length) { \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T*, int,  \
                                        int* info) {                                                         \
    WARPDOJO_BEGIN("cusolverDn" #S "geqrf");                                                                 \
    return factor_qr(m, n, a, lda, tau, info);                                                               \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##orgqr_bufferSize(cusolverDnHandle_t, int m, int n, int, const T*, int,     \
                                                   const T*, int* length) {                                  \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##orgqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda,            \
                                        const T* tau, T*, int, int* info) {                                  \
    WARPDOJO_BEGIN("cusolverDn" #S "orgqr");                                                                 \
    return make_q(m, n, k, a, lda, tau, info);                                                               \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t,  \
                                                   int m, int n, int, const T*, int, const T*, const T*,     \
                                                   int, int* length) {                                       \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op,   \
                                        int m, int n, int k, const T* a, int lda, const T* tau, T* c,        \
                                        int ldc, T*, int, int* info) {                                       \
    WARPDOJO_BEGIN("cusolverDn" #S "ormqr");                                                                 \
    return multiply_q(side, op, m, n, k, a, lda, tau, c, ldc, info);                                         \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##syevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,  \
                                                   int n, const T*, int, const T*, int* length) {            \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##syevd(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t part, \
                                        int n, T* a, int lda, T* w, T*, int, int* info) {                    \
    WARPDOJO_BEGIN("cusolverDn" #S "syevd");                                                                 \
    return eigenvalues<T>(0, mode, part, n, a, lda, nullptr, 1, w, info);                                    \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##sygvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, \
                                                   cublasFillMode_t, int n, const T*, int, const T*, int,    \
                                                   const T*, int* length) {                                  \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##sygvd(cusolverDnHandle_t h, cusolverEigType_t type,                        \
                                        cusolverEigMode_t mode, cublasFillMode_t part, int n, T* a, int lda, \
                                        T* b, int ldb, T* w, T*, int, int* info) {                           \
    WARPDOJO_BEGIN("cusolverDn" #S "sygvd");                                                                 \
    return eigenvalues<T>(int(type), mode, part, n, a, lda, b, ldb, w, info);                                \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t, int m, int n, int* length) {          \
    return m < n ? CUSOLVER_STATUS_INVALID_VALUE : size_of(m, n, length);                                    \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char u, signed char v, int m, int n,    \
                                        T* a, int lda, T* s, T* left, int ldu, T* right, int ldvt, T*, int,  \
                                        T*, int* info) {                                                     \
    WARPDOJO_BEGIN("cusolverDn" #S "gesvd");                                                                 \
    return singular_values(char(u), char(v), m, n, a, lda, s, left, ldu, right, ldvt, info);                 \
  }
SOLVER_OF(S, float)
SOLVER_OF(D, double)

}  // extern "C"
