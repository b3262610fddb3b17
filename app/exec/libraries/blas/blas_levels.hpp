#pragma once
// cuBLAS's calls on vectors and on matrices that are stored whole, for real and complex elements. Sums are
// double or complex<double>. Matrices are by column; increments are positive or negative as in BLAS.
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "blas_shapes.hpp"
#include "shared/product.hpp"

namespace dojo::libraries {

inline double times_plus(double a, double x, double y) { return std::fma(a, x, y); }
inline Sum times_plus(Sum a, Sum x, Sum y) { return a * x + y; }
/// beta old; 0 where beta is 0, whatever the old element is.
template <class S, class T>
S kept(S beta, const T& old) {
  return beta != S(0) ? beta * S(old) : S(0);
}
/// |x|, or |re| + |im|, as the BLAS take for it.
inline double magnitude(double x) { return std::fabs(x); }
template <class R>
R magnitude(const std::complex<R>& x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}

template <class T>
cublasStatus_t axpy(int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> from(x, n, incx), to(y, n, incy);
  const SumOf<T> a(scalar(alpha));
  for (long i = 0; i < n; ++i) to[i] = T(times_plus(a, SumOf<T>(from[i]), SumOf<T>(to[i])));
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
/// A: T, or the real type of a complex T.
template <class T, class A>
cublasStatus_t scal(int n, const A* alpha, T* x, int incx) {
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> v(x, n, incx);
  const SumOf<T> a(scalar(alpha));
  for (long i = 0; i < n; ++i) v[i] = T(a * SumOf<T>(v[i]));
  v.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
/// y = x; `swap`: x = y as well.
template <class T>
cublasStatus_t copy(int n, const T* x, int incx, T* y, int incy, bool swap) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Strided<T> a(x, n, incx), b(y, n, incy);
  for (long i = 0; i < n; ++i) std::swap(a[i], b[i]);
  b.all.put();
  if (swap) a.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t dot(int n, const T* x, int incx, const T* y, int incy, T* result, bool conjugated) {
  SumOf<T> sum = 0;
  if (n > 0) {
    Strided<T> a(x, n, incx), b(y, n, incy);
    for (long i = 0; i < n; ++i) {
      const SumOf<T> left(a[i]);
      sum += (conjugated ? conjugate(left) : left) * SumOf<T>(b[i]);
    }
  }
  set_scalar(result, T(sum));
  return CUBLAS_STATUS_SUCCESS;
}
/// `squares`: the Euclidean norm; else the sum of magnitudes.
template <class T, class R>
cublasStatus_t norm(int n, const T* x, int incx, R* result, bool squares) {
  double sum = 0;
  if (n > 0 && incx > 0) {
    Strided<T> a(x, n, incx);
    for (long i = 0; i < n; ++i)
      sum += squares ? std::norm(SumOf<T>(a[i])) : double(magnitude(SumOf<T>(a[i])));
  }
  set_scalar(result, R(squares ? std::sqrt(sum) : sum));
  return CUBLAS_STATUS_SUCCESS;
}
/// Index, from 1, of the first element with the largest or smallest magnitude; 0 for an empty vector.
template <class T>
cublasStatus_t extreme(int n, const T* x, int incx, int* result, bool largest) {
  int at = 0;
  if (n > 0 && incx > 0) {
    Strided<T> a(x, n, incx);
    for (int i = 1; i < n; ++i) {
      const auto v = magnitude(a[i]), best = magnitude(a[at]);
      if (largest ? v > best : v < best) at = i;
    }
    ++at;
  }
  set_scalar(result, at);
  return CUBLAS_STATUS_SUCCESS;
}
/// x = c x + s y and y = c y - s x, of real vectors.
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

template <class T>
cublasStatus_t gemv(cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda, const T* x,
                    int incx, const T* beta, T* y, int incy) {
  if (m < 0 || n < 0 || lda < std::max(1, m) || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  const long rows = op == CUBLAS_OP_N ? m : n, sums = op == CUBLAS_OP_N ? n : m;
  const Operand<T> matrix(a, rows, sums, lda, op);
  Strided<T> from(x, sums, incx), to(y, rows, incy);
  const SumOf<T> by(scalar(alpha)), keep(scalar(beta));
  for (long i = 0; i < rows; ++i) {
    SumOf<T> sum = 0;
    for (long k = 0; k < sums; ++k) sum += matrix(i, k) * SumOf<T>(from[k]);
    to[i] = T(by * sum + kept(keep, to[i]));
  }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t ger(int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda,
                   bool conjugated) {
  if (m < 0 || n < 0 || lda < std::max(1, m) || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> left(x, m, incx), right(y, n, incy);
  Copied<T> matrix(a, extent(m, n, lda));
  const SumOf<T> by(scalar(alpha));
  for (long j = 0; j < n; ++j) {
    const SumOf<T> other(right[j]);
    for (long i = 0; i < m; ++i) {
      T& to = matrix.v[size_t(j * lda + i)];
      to = T(SumOf<T>(to) + by * SumOf<T>(left[i]) * (conjugated ? conjugate(other) : other));
    }
  }
  matrix.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const T* alpha,
                    const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  if (m < 0 || n < 0 || k < 0 || lda < std::max(1, op_a == CUBLAS_OP_N ? m : k) ||
      ldb < std::max(1, op_b == CUBLAS_OP_N ? k : n) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Operand<T> left(a, m, k, lda, op_a), right(b, k, n, ldb, op_b);
  Copied<T> out(c, extent(m, n, ldc));
  const SumOf<T> by(scalar(alpha)), keep(scalar(beta));
  const auto put = [&](long i, long j, SumOf<T> sum) {
    T& to = out.v[size_t(j * ldc + i)];
    to = T(by * sum + kept(keep, to));
  };
  if constexpr (is_complex<T>) {
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) {
        Sum sum = 0;
        for (long l = 0; l < k; ++l) sum += left(i, l) * right(l, j);
        put(i, j, sum);
      }
  } else {
    product(m, n, k, left, right, put);
  }
  out.put();
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace dojo::libraries
