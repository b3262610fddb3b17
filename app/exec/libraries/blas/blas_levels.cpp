// cuBLAS's calls on vectors and whole matrices of the four types of elements, by the templates of
// blas_levels.hpp.
#include "blas_levels.hpp"

#include "blas_call.hpp"

using namespace dojo::libraries;

extern "C" {

// I: the type's letter in names of calls that give an index.
#define OF_EVERY_ELEMENT(S, T, I)                                                                            \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y,     \
                                    int incy) {                                                              \
    return blas_call(h, "cublas" #S "axpy",                                                                  \
                     [&] { return axpy(n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy); });  \
  }                                                                                                          \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {               \
    return blas_call(h, "cublas" #S "scal",                                                                  \
                     [&] { return scal(n, plain_type(alpha), plain_type(x), incx); });                       \
  }                                                                                                          \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {         \
    return blas_call(h, "cublas" #S "copy",                                                                  \
                     [&] { return copy(n, plain_type(x), incx, plain_type(y), incy, false); });              \
  }                                                                                                          \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {               \
    return blas_call(h, "cublas" #S "swap",                                                                  \
                     [&] { return copy(n, plain_type(x), incx, plain_type(y), incy, true); });               \
  }                                                                                                          \
  cublasStatus_t cublasI##I##amax_v2(cublasHandle_t h, int n, const T* x, int incx, int* r) {                \
    return blas_call(h, "cublasI" #I "amax", [&] { return extreme(n, plain_type(x), incx, r, true); });      \
  }                                                                                                          \
  cublasStatus_t cublasI##I##amin_v2(cublasHandle_t h, int n, const T* x, int incx, int* r) {                \
    return blas_call(h, "cublasI" #I "amin", [&] { return extreme(n, plain_type(x), incx, r, false); });     \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,    \
                                    const T* a, int lda, const T* x, int incx, const T* beta, T* y,          \
                                    int incy) {                                                              \
    return blas_call(h, "cublas" #S "gemv", [&] {                                                            \
      return gemv(op, m, n, plain_type(alpha), plain_type(a), lda, plain_type(x), incx, plain_type(beta),    \
                  plain_type(y), incy);                                                                      \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,     \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc) {                                          \
    return blas_call(h, "cublas" #S "gemm", [&] {                                                            \
      return gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(a), lda, plain_type(b), ldb,                \
                  plain_type(beta), plain_type(c), ldc);                                                     \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,     \
                                               long long sa, const T* b, int ldb, long long sb,              \
                                               const T* beta, T* c, int ldc, long long sc, int count) {      \
    return blas_call(h, "cublas" #S "gemmStridedBatched", [&] {                                              \
      for (long i = 0; i < count; ++i)                                                                       \
        if (const cublasStatus_t s =                                                                         \
                gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(a + i * sa), lda,                        \
                     plain_type(b + i * sb), ldb, plain_type(beta), plain_type(c + i * sc), ldc))            \
          return s;                                                                                          \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, \
                                        int n, int k, const T* alpha, const T* const a[], int lda,           \
                                        const T* const b[], int ldb, const T* beta, T* const c[], int ldc,   \
                                        int count) {                                                         \
    return blas_call(h, "cublas" #S "gemmBatched", [&] {                                                     \
      const size_t all = size_t(std::max(0, count));                                                         \
      const Copied<const T*> as(a, all), bs(b, all);                                                         \
      const Copied<T*> cs(c, all);                                                                           \
      for (size_t i = 0; i < all; ++i)                                                                       \
        if (const cublasStatus_t s =                                                                         \
                gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(as.v[i]), lda, plain_type(bs.v[i]), ldb, \
                     plain_type(beta), plain_type(cs.v[i]), ldc))                                            \
          return s;                                                                                          \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    });                                                                                                      \
  }
OF_EVERY_ELEMENT(S, float, s)
OF_EVERY_ELEMENT(D, double, d)
OF_EVERY_ELEMENT(C, cuComplex, c)
OF_EVERY_ELEMENT(Z, cuDoubleComplex, z)

// S: the letters of the elements' type and, where it is another, of the result's.
#define NORMS(S, T, R)                                                                               \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T* x, int incx, R* r) {           \
    return blas_call(h, "cublas" #S "nrm2", [&] { return norm(n, plain_type(x), incx, r, true); });  \
  }                                                                                                  \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T* x, int incx, R* r) {           \
    return blas_call(h, "cublas" #S "asum", [&] { return norm(n, plain_type(x), incx, r, false); }); \
  }
NORMS(S, float, float)
NORMS(D, double, double)
NORMS(Sc, cuComplex, float)
NORMS(Dz, cuDoubleComplex, double)

#define OF_REAL(S, T)                                                                                    \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,  \
                                   T* r) {                                                               \
    return blas_call(h, "cublas" #S "dot", [&] { return dot(n, x, incx, y, incy, r, false); });          \
  }                                                                                                      \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, \
                                   const T* y, int incy, T* a, int lda) {                                \
    return blas_call(h, "cublas" #S "ger",                                                               \
                     [&] { return ger(m, n, alpha, x, incx, y, incy, a, lda, false); });                 \
  }                                                                                                      \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* c,  \
                                   const T* s) {                                                         \
    return blas_call(h, "cublas" #S "rot", [&] { return rot(n, x, incx, y, incy, c, s); });              \
  }
OF_REAL(S, float)
OF_REAL(D, double)

// SR: the letters of a call with a real factor, R.
#define OF_COMPLEX(S, T, SR, R)                                                                              \
  cublasStatus_t cublas##SR##scal_v2(cublasHandle_t h, int n, const R* alpha, T* x, int incx) {              \
    return blas_call(h, "cublas" #SR "scal", [&] { return scal(n, alpha, plain_type(x), incx); });           \
  }                                                                                                          \
  cublasStatus_t cublas##S##dotu_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,     \
                                    T* r) {                                                                  \
    return blas_call(h, "cublas" #S "dotu", [&] {                                                            \
      return dot(n, plain_type(x), incx, plain_type(y), incy, plain_type(r), false);                         \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##dotc_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,     \
                                    T* r) {                                                                  \
    return blas_call(h, "cublas" #S "dotc",                                                                  \
                     [&] { return dot(n, plain_type(x), incx, plain_type(y), incy, plain_type(r), true); }); \
  }                                                                                                          \
  cublasStatus_t cublas##S##geru_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,    \
                                    const T* y, int incy, T* a, int lda) {                                   \
    return blas_call(h, "cublas" #S "geru", [&] {                                                            \
      return ger(m, n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy, plain_type(a), lda,      \
                 false);                                                                                     \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##gerc_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,    \
                                    const T* y, int incy, T* a, int lda) {                                   \
    return blas_call(h, "cublas" #S "gerc", [&] {                                                            \
      return ger(m, n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy, plain_type(a), lda,      \
                 true);                                                                                      \
    });                                                                                                      \
  }
OF_COMPLEX(C, cuComplex, Cs, float)
OF_COMPLEX(Z, cuDoubleComplex, Zd, double)

}  // extern "C"
