// cuBLAS calls on batches of matrices: products and triangular systems (by the calls on one matrix), LU
// factors, solutions and inverses, on copies in host memory and in the matrix's own type. Pivots count from
// 1, as in LAPACK.
#include <cublas_v2.h>

#include <cmath>
#include <complex>
#include <utility>

#include "blas_call.hpp"

namespace {
using dojo::libraries::blas_call;
using dojo::libraries::Copied;

/// A matrix by column: element (row, column).
template <class T>
struct Matrix {
  Copied<T> all;
  size_t ld;
  Matrix(const T* at, int columns, int leading)
      : all(at, size_t(columns) * size_t(leading)), ld(size_t(leading)) {}
  T& operator()(int row, int column) { return all.v[size_t(column) * ld + size_t(row)]; }
};

/// L and U in the place of A, L with ones on its diagonal. Row k was swapped with row pivot[k] - 1; without
/// pivots rows stay. Returns 0, or the number of the first column without a pivot.
double size_of(double x) { return std::fabs(x); }
template <class T>
double size_of(std::complex<T> x) {
  return double(std::fabs(x.real())) + double(std::fabs(x.imag()));
}
template <class T>
T conjugate(T x) {
  return x;
}
template <class T>
std::complex<T> conjugate(std::complex<T> x) {
  return std::conj(x);
}

template <class T>
int factor_lu(Matrix<T>& a, int n, int* pivot) {
  int info = 0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; pivot && i < n; ++i)
      if (size_of(a(i, k)) > size_of(a(best, k))) best = i;
    if (pivot) pivot[k] = best + 1;
    for (int j = 0; best != k && j < n; ++j) std::swap(a(k, j), a(best, j));
    if (a(k, k) == T(0)) {
      if (!info) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      a(i, k) /= a(k, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}

/// Solves op(A) x = b with A's factors.
template <class T>
void solve(Matrix<T>& lu, int n, const int* pivot, cublasOperation_t op, T* b) {
  if (op == CUBLAS_OP_N) {
    for (int k = 0; pivot && k < n; ++k) std::swap(b[k], b[pivot[k] - 1]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) b[i] -= lu(i, j) * b[j];
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) b[i] -= lu(i, j) * b[j];
      b[i] /= lu(i, i);
    }
    return;
  }
  const auto of = [&](int row, int column) {
    return op == CUBLAS_OP_C ? conjugate(lu(row, column)) : lu(row, column);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) b[i] -= of(j, i) * b[j];
    b[i] /= of(i, i);
  }
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) b[i] -= of(j, i) * b[j];
  for (int k = n - 1; pivot && k >= 0; --k) std::swap(b[k], b[pivot[k] - 1]);
}

template <class T>
void factor_all(int n, T* const a[], int lda, int* pivots, int* info, int count) {
  const Copied<T*> matrices(a, size_t(count));
  Copied<int> p(pivots, pivots ? size_t(n) * size_t(count) : 0), status(info, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i) {
    Matrix<T> m(matrices.v[i], n, lda);
    status.v[i] = factor_lu(m, n, pivots ? &p.v[i * size_t(n)] : nullptr);
    m.all.put();
  }
  p.put();
  status.put();
}

template <class T>
void solve_all(cublasOperation_t op, int n, int columns, const T* const a[], int lda, const int* pivots,
               T* const b[], int ldb, int count) {
  const Copied<const T*> matrices(a, size_t(count));
  const Copied<T*> sides(b, size_t(count));
  const Copied<int> p(pivots, pivots ? size_t(n) * size_t(count) : 0);
  for (size_t i = 0; i < size_t(count); ++i) {
    Matrix<T> m(matrices.v[i], n, lda), x(sides.v[i], columns, ldb);
    for (int j = 0; j < columns; ++j) solve(m, n, pivots ? &p.v[i * size_t(n)] : nullptr, op, &x(0, j));
    x.all.put();
  }
}

template <class T>
void invert_all(int n, const T* const a[], int lda, const int* pivots, T* const c[], int ldc, int* info,
                int count) {
  const Copied<const T*> matrices(a, size_t(count));
  const Copied<T*> results(c, size_t(count));
  const Copied<int> p(pivots, pivots ? size_t(n) * size_t(count) : 0);
  Copied<int> status(info, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i) {
    Matrix<T> m(matrices.v[i], n, lda), out(results.v[i], n, ldc);
    status.v[i] = 0;
    for (int k = n - 1; k >= 0; --k)
      if (m(k, k) == T(0)) status.v[i] = k + 1;
    for (int j = 0; j < n && !status.v[i]; ++j) {
      for (int k = 0; k < n; ++k) out(k, j) = T(k == j);
      solve(m, n, pivots ? &p.v[i * size_t(n)] : nullptr, CUBLAS_OP_N, &out(0, j));
    }
    out.all.put();
  }
  status.put();
}

// Arrays of matrices of CUDA's complex types as of the library's, whose parts lie alike.
template <class T>
T* const* as(T* const* p) {
  return p;
}
std::complex<float>* const* as(cuComplex* const* p) {
  return reinterpret_cast<std::complex<float>* const*>(p);
}
std::complex<double>* const* as(cuDoubleComplex* const* p) {
  return reinterpret_cast<std::complex<double>* const*>(p);
}
const std::complex<float>* const* as(const cuComplex* const* p) {
  return reinterpret_cast<const std::complex<float>* const*>(p);
}
const std::complex<double>* const* as(const cuDoubleComplex* const* p) {
  return reinterpret_cast<const std::complex<double>* const*>(p);
}

}  // namespace

extern "C" {

#define BATCHED(S, T)                                                                                      \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots,      \
                                         int* info, int count) {                                           \
    return blas_call(h, "cublas" #S "getrfBatched", [&] {                                                  \
      if (n < 0 || count < 0 || lda < n) return CUBLAS_STATUS_INVALID_VALUE;                               \
      factor_all(n, as(a), lda, pivots, info, count);                                                      \
      return CUBLAS_STATUS_SUCCESS;                                                                        \
    });                                                                                                    \
  }                                                                                                        \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t h, cublasOperation_t t, int n, int columns,        \
                                         const T* const a[], int lda, const int* pivots, T* const b[],     \
                                         int ldb, int* info, int count) {                                  \
    return blas_call(h, "cublas" #S "getrsBatched", [&] {                                                  \
      *info = n < 0 ? -2 : columns < 0 ? -3 : lda < n ? -5 : ldb < n ? -8 : 0;                             \
      if (*info) return CUBLAS_STATUS_INVALID_VALUE;                                                       \
      solve_all(t, n, columns, as(a), lda, pivots, as(b), ldb, count);                                     \
      return CUBLAS_STATUS_SUCCESS;                                                                        \
    });                                                                                                    \
  }                                                                                                        \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda,             \
                                         const int* pivots, T* const c[], int ldc, int* info, int count) { \
    return blas_call(h, "cublas" #S "getriBatched", [&] {                                                  \
      if (n < 0 || count < 0 || lda < n || ldc < n) return CUBLAS_STATUS_INVALID_VALUE;                    \
      invert_all(n, as(a), lda, pivots, as(c), ldc, info, count);                                          \
      return CUBLAS_STATUS_SUCCESS;                                                                        \
    });                                                                                                    \
  }
BATCHED(S, float)
BATCHED(D, double)
BATCHED(C, cuComplex)
BATCHED(Z, cuDoubleComplex)

#define OTHER_BATCHES(S, T)                                                                                 \
  cublasStatus_t cublas##S##trsmBatched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,     \
                                        cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,      \
                                        const T* alpha, const T* const a[], int lda, T* const b[], int ldb, \
                                        int count) {                                                        \
    return blas_call(h, "cublas" #S "trsmBatched", [&] {                                                    \
      if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                    \
      const Copied<const T*> as(a, size_t(count));                                                          \
      const Copied<T*> bs(b, size_t(count));                                                                \
      for (size_t i = 0; i < size_t(count); ++i)                                                            \
        if (const cublasStatus_t s =                                                                        \
                cublas##S##trsm_v2(h, side, part, op, diagonal, m, n, alpha, as.v[i], lda, bs.v[i], ldb))   \
          return s;                                                                                         \
      return CUBLAS_STATUS_SUCCESS;                                                                         \
    });                                                                                                     \
  }                                                                                                         \
  cublasStatus_t cublas##S##gemvBatched(cublasHandle_t h, cublasOperation_t op, int m, int n,               \
                                        const T* alpha, const T* const a[], int lda, const T* const x[],    \
                                        int incx, const T* beta, T* const y[], int incy, int count) {       \
    return blas_call(h, "cublas" #S "gemvBatched", [&] {                                                    \
      if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                    \
      const Copied<const T*> as(a, size_t(count)), xs(x, size_t(count));                                    \
      const Copied<T*> ys(y, size_t(count));                                                                \
      for (size_t i = 0; i < size_t(count); ++i)                                                            \
        if (const cublasStatus_t s =                                                                        \
                cublas##S##gemv_v2(h, op, m, n, alpha, as.v[i], lda, xs.v[i], incx, beta, ys.v[i], incy))   \
          return s;                                                                                         \
      return CUBLAS_STATUS_SUCCESS;                                                                         \
    });                                                                                                     \
  }                                                                                                         \
  cublasStatus_t cublas##S##gemvStridedBatched(cublasHandle_t h, cublasOperation_t op, int m, int n,        \
                                               const T* alpha, const T* a, int lda, long long step_a,       \
                                               const T* x, int incx, long long step_x, const T* beta, T* y, \
                                               int incy, long long step_y, int count) {                     \
    return blas_call(h, "cublas" #S "gemvStridedBatched", [&] {                                             \
      if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                    \
      for (int i = 0; i < count; ++i)                                                                       \
        if (const cublasStatus_t s = cublas##S##gemv_v2(h, op, m, n, alpha, a + i * step_a, lda,            \
                                                        x + i * step_x, incx, beta, y + i * step_y, incy))  \
          return s;                                                                                         \
      return CUBLAS_STATUS_SUCCESS;                                                                         \
    });                                                                                                     \
  }
OTHER_BATCHES(S, float)
OTHER_BATCHES(D, double)
OTHER_BATCHES(C, cuComplex)
OTHER_BATCHES(Z, cuDoubleComplex)

// Three real products for one complex one: fewer operations on a GPU, and another rounding.
#define BY_THREE_PRODUCTS(S, T)                                                                            \
  cublasStatus_t cublas##S##gemm3m(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,    \
                                   int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, \
                                   const T* beta, T* c, int ldc) {                                         \
    return blas_call(h, "cublas" #S "gemm3m", [&] {                                                        \
      return cublas##S##gemm_v2(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                  \
    });                                                                                                    \
  }
BY_THREE_PRODUCTS(C, cuComplex)
BY_THREE_PRODUCTS(Z, cuDoubleComplex)

}  // extern "C"
