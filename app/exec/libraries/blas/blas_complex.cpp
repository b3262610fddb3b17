// cuBLAS calls on complex vectors and matrices, and rotations of real ones, on copies in host memory with
// sums of complex<double>. Matrices are by column.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>

#include "blas_call.hpp"
#include "blas_shapes.hpp"

namespace {
using dojo::libraries::Copied;
using dojo::libraries::plain_type;
using dojo::libraries::scalar;
using dojo::libraries::set_scalar;
using dojo::libraries::Strided;
using dojo::libraries::Sum;

template <class T>
cublasStatus_t axpy(int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> from(x, n, incx), to(y, n, incy);
  const Sum a(scalar(alpha));
  for (long i = 0; i < n; ++i) to[i] = T(a * Sum(from[i]) + Sum(to[i]));
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T, class A>
cublasStatus_t scal(int n, const A* alpha, T* x, int incx) {
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> v(x, n, incx);
  const Sum a(scalar(alpha));
  for (long i = 0; i < n; ++i) v[i] = T(a * Sum(v[i]));
  v.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t copy(int n, const T* x, int incx, const T* y, int incy, bool swap) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> a(x, n, incx), b(y, n, incy);
  for (long i = 0; i < n; ++i) std::swap(a[i], b[i]);
  b.all.put();
  if (swap) a.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t dot(int n, const T* x, int incx, const T* y, int incy, T* result, bool conjugate) {
  Sum sum = 0;
  if (n > 0) {
    Strided<T> a(x, n, incx), b(y, n, incy);
    for (long i = 0; i < n; ++i) sum += (conjugate ? std::conj(Sum(a[i])) : Sum(a[i])) * Sum(b[i]);
  }
  set_scalar(result, T(sum));
  return CUBLAS_STATUS_SUCCESS;
}
/// `squares`: the Euclidean norm; else the sum of |re| + |im|.
template <class T, class R>
cublasStatus_t norm(int n, const T* x, int incx, R* result, bool squares) {
  double sum = 0;
  if (n > 0 && incx > 0) {
    Strided<T> a(x, n, incx);
    for (long i = 0; i < n; ++i)
      sum += squares ? std::norm(Sum(a[i])) : std::fabs(double(a[i].real())) + std::fabs(double(a[i].imag()));
  }
  set_scalar(result, R(squares ? std::sqrt(sum) : sum));
  return CUBLAS_STATUS_SUCCESS;
}

size_t extent(long rows, long columns, long leading) {
  return rows > 0 && columns > 0 ? size_t((columns - 1) * leading + rows) : 0;
}

/// Element (row, column) of op(A).
template <class T>
Sum element(const std::vector<T>& a, long leading, cublasOperation_t op, long row, long column) {
  const Sum v(a[size_t(op == CUBLAS_OP_N ? column * leading + row : row * leading + column)]);
  return op == CUBLAS_OP_C ? std::conj(v) : v;
}

template <class T>
cublasStatus_t gemv(cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda, const T* x,
                    int incx, const T* beta, T* y, int incy) {
  if (m < 0 || n < 0 || lda < std::max(1, m) || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  const long rows = op == CUBLAS_OP_N ? m : n, sums = op == CUBLAS_OP_N ? n : m;
  const Copied<T> matrix(a, extent(m, n, lda));
  Strided<T> from(x, sums, incx), to(y, rows, incy);
  const Sum by(scalar(alpha)), keep(scalar(beta));
  for (long i = 0; i < rows; ++i) {
    Sum sum = 0;
    for (long k = 0; k < sums; ++k) sum += element(matrix.v, lda, op, i, k) * Sum(from[k]);
    to[i] = T(by * sum + (keep != 0.0 ? keep * Sum(to[i]) : Sum(0)));
  }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const T* alpha,
                    const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  const bool na = op_a == CUBLAS_OP_N, nb = op_b == CUBLAS_OP_N;
  if (m < 0 || n < 0 || k < 0 || lda < std::max(1, na ? m : k) || ldb < std::max(1, nb ? k : n) ||
      ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Copied<T> left(a, na ? extent(m, k, lda) : extent(k, m, lda));
  const Copied<T> right(b, nb ? extent(k, n, ldb) : extent(n, k, ldb));
  Copied<T> out(c, extent(m, n, ldc));
  const Sum by(scalar(alpha)), keep(scalar(beta));
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i) {
      Sum sum = 0;
      for (long l = 0; l < k; ++l)
        sum += element(left.v, lda, op_a, i, l) * element(right.v, ldb, op_b, l, j);
      T& to = out.v[size_t(j * ldc + i)];
      to = T(by * sum + (keep != 0.0 ? keep * Sum(to) : Sum(0)));
    }
  out.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t ger(int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda,
                   bool conjugate) {
  if (m < 0 || n < 0 || lda < std::max(1, m) || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> left(x, m, incx), right(y, n, incy);
  Copied<T> matrix(a, extent(m, n, lda));
  const Sum by(scalar(alpha));
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i) {
      const Sum other(right[j]);
      T& to = matrix.v[size_t(j * lda + i)];
      to = T(Sum(to) + by * Sum(left[i]) * (conjugate ? std::conj(other) : other));
    }
  matrix.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// Index, from 1, of the largest |re| + |im|; 0 for an empty vector.
template <class T>
cublasStatus_t largest(int n, const T* x, int incx, int* result) {
  int at = 0;
  if (n > 0 && incx > 0) {
    Strided<T> a(x, n, incx);
    const auto size = [&](int i) { return std::fabs(a[i].real()) + std::fabs(a[i].imag()); };
    for (int i = 1; i < n; ++i)
      if (size(i) > size(at)) at = i;
    ++at;
  }
  set_scalar(result, at);
  return CUBLAS_STATUS_SUCCESS;
}

/// x = c x + s y and y = c y - s x.
template <class T>
cublasStatus_t rot(int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> a(x, n, incx), b(y, n, incy);
  const double cosine = double(scalar(c)), sine = double(scalar(s));
  for (long i = 0; i < n; ++i) {
    const double u = double(a[i]), v = double(b[i]);
    a[i] = T(cosine * u + sine * v);
    b[i] = T(cosine * v - sine * u);
  }
  a.all.put();
  b.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" {

#define BLAS_COMPLEX(S, T, SR, R, I)                                                                         \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y,     \
                                    int incy) {                                                              \
    BEGIN_BLAS(h, "cublas" #S "axpy")                                                                        \
    return axpy(n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy);                             \
  }                                                                                                          \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {               \
    BEGIN_BLAS(h, "cublas" #S "scal") return scal(n, plain_type(alpha), plain_type(x), incx);                \
  }                                                                                                          \
  cublasStatus_t cublas##SR##scal_v2(cublasHandle_t h, int n, const R* alpha, T* x, int incx) {              \
    BEGIN_BLAS(h, "cublas" #SR "scal") return scal(n, alpha, plain_type(x), incx);                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {         \
    BEGIN_BLAS(h, "cublas" #S "copy") return copy(n, plain_type(x), incx, plain_type(y), incy, false);       \
  }                                                                                                          \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {               \
    BEGIN_BLAS(h, "cublas" #S "swap") return copy(n, plain_type(x), incx, plain_type(y), incy, true);        \
  }                                                                                                          \
  cublasStatus_t cublas##S##dotu_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,     \
                                    T* r) {                                                                  \
    BEGIN_BLAS(h, "cublas" #S "dotu")                                                                        \
    return dot(n, plain_type(x), incx, plain_type(y), incy, plain_type(r), false);                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##dotc_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,     \
                                    T* r) {                                                                  \
    BEGIN_BLAS(h, "cublas" #S "dotc")                                                                        \
    return dot(n, plain_type(x), incx, plain_type(y), incy, plain_type(r), true);                            \
  }                                                                                                          \
  cublasStatus_t cublasI##I##amax_v2(cublasHandle_t h, int n, const T* x, int incx, int* r) {                \
    BEGIN_BLAS(h, "cublasI" #I "amax") return largest(n, plain_type(x), incx, r);                            \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,    \
                                    const T* a, int lda, const T* x, int incx, const T* beta, T* y,          \
                                    int incy) {                                                              \
    BEGIN_BLAS(h, "cublas" #S "gemv")                                                                        \
    return gemv(op, m, n, plain_type(alpha), plain_type(a), lda, plain_type(x), incx, plain_type(beta),      \
                plain_type(y), incy);                                                                        \
  }                                                                                                          \
  cublasStatus_t cublas##S##geru_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,    \
                                    const T* y, int incy, T* a, int lda) {                                   \
    BEGIN_BLAS(h, "cublas" #S "geru")                                                                        \
    return ger(m, n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy, plain_type(a), lda,        \
               false);                                                                                       \
  }                                                                                                          \
  cublasStatus_t cublas##S##gerc_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,    \
                                    const T* y, int incy, T* a, int lda) {                                   \
    BEGIN_BLAS(h, "cublas" #S "gerc")                                                                        \
    return ger(m, n, plain_type(alpha), plain_type(x), incx, plain_type(y), incy, plain_type(a), lda, true); \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,     \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc) {                                          \
    BEGIN_BLAS(h, "cublas" #S "gemm")                                                                        \
    return gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(a), lda, plain_type(b), ldb,                  \
                plain_type(beta), plain_type(c), ldc);                                                       \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,     \
                                               long long sa, const T* b, int ldb, long long sb,              \
                                               const T* beta, T* c, int ldc, long long sc, int count) {      \
    BEGIN_BLAS(h, "cublas" #S "gemmStridedBatched")                                                          \
    for (long i = 0; i < count; ++i)                                                                         \
      if (const cublasStatus_t s =                                                                           \
              gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(a + i * sa), lda, plain_type(b + i * sb),  \
                   ldb, plain_type(beta), plain_type(c + i * sc), ldc))                                      \
        return s;                                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, \
                                        int n, int k, const T* alpha, const T* const a[], int lda,           \
                                        const T* const b[], int ldb, const T* beta, T* const c[], int ldc,   \
                                        int count) {                                                         \
    BEGIN_BLAS(h, "cublas" #S "gemmBatched")                                                                 \
    const size_t all = size_t(std::max(0, count));                                                           \
    const Copied<const T*> as(a, all), bs(b, all);                                                           \
    const Copied<T*> cs(c, all);                                                                             \
    for (size_t i = 0; i < all; ++i)                                                                         \
      if (const cublasStatus_t s =                                                                           \
              gemm(ta, tb, m, n, k, plain_type(alpha), plain_type(as.v[i]), lda, plain_type(bs.v[i]), ldb,   \
                   plain_type(beta), plain_type(cs.v[i]), ldc))                                              \
        return s;                                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }
BLAS_COMPLEX(C, cuComplex, Cs, float, c)
BLAS_COMPLEX(Z, cuDoubleComplex, Zd, double, z)

#define BLAS_NORMS(S, T, R)                                                                \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T* x, int incx, R* r) { \
    BEGIN_BLAS(h, "cublas" #S "nrm2") return norm(n, plain_type(x), incx, r, true);        \
  }                                                                                        \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T* x, int incx, R* r) { \
    BEGIN_BLAS(h, "cublas" #S "asum") return norm(n, plain_type(x), incx, r, false);       \
  }
BLAS_NORMS(Sc, cuComplex, float)
BLAS_NORMS(Dz, cuDoubleComplex, double)

cublasStatus_t cublasSrot_v2(cublasHandle_t h, int n, float* x, int incx, float* y, int incy, const float* c,
                             const float* s) {
  BEGIN_BLAS(h, "cublasSrot") return rot(n, x, incx, y, incy, c, s);
}
cublasStatus_t cublasDrot_v2(cublasHandle_t h, int n, double* x, int incx, double* y, int incy,
                             const double* c, const double* s) {
  BEGIN_BLAS(h, "cublasDrot") return rot(n, x, incx, y, incy, c, s);
}

}  // extern "C"
