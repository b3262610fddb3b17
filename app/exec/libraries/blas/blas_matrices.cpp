// cuBLAS calls on triangular, symmetric and diagonal matrices, and sums of matrices, on copies in host memory
// with double sums. Matrices are by column.
#include <cublas_v2.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "blas_call.hpp"

namespace {
using dojo::libraries::blas_call;
using dojo::libraries::Copied;
using dojo::libraries::scalar;

/// A matrix by column: element (row, column).
template <class T>
struct Matrix {
  Copied<T> all;
  size_t ld;
  Matrix(const T* at, int rows, int columns, int leading)
      : all(at, rows > 0 && columns > 0 ? size_t(columns - 1) * size_t(leading) + size_t(rows) : 0),
        ld(size_t(leading)) {}
  T& operator()(int row, int column) { return all.v[size_t(column) * ld + size_t(row)]; }
};

/// A triangle of a matrix as the operation sees it: op(A)(i, j), with zeros in the other triangle.
template <class T>
struct Triangle {
  Matrix<T> a;
  bool lower, turned, ones;
  Triangle(const T* at, int n, int lda, cublasFillMode_t part, cublasOperation_t op,
           cublasDiagType_t diagonal)
      : a(at, n, n, lda),
        lower((part == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N)),
        turned(op != CUBLAS_OP_N),
        ones(diagonal == CUBLAS_DIAG_UNIT) {}
  double operator()(int i, int j) {
    if (i == j && ones) return 1;
    if (lower ? j > i : j < i) return 0;
    return double(turned ? a(j, i) : a(i, j));
  }
};

/// Solves op(A) x = x for one vector.
template <class T>
void solve(Triangle<T>& t, std::vector<double>& x) {
  const int n = int(x.size());
  for (int step = 0; step < n; ++step) {
    const int i = t.lower ? step : n - 1 - step;
    double sum = x[size_t(i)];
    for (int j = t.lower ? 0 : i + 1; j < (t.lower ? i : n); ++j) sum -= t(i, j) * x[size_t(j)];
    x[size_t(i)] = sum / t(i, i);
  }
}

cublasOperation_t other(cublasOperation_t op) { return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N; }

/// B = alpha op(A)^-1 B, or from the right: that is each row with the transposed triangle.
template <class T>
cublasStatus_t trsm(cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b,
                    int ldb) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  if (m < 0 || n < 0 || lda < std::max(1, order) || ldb < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;
  Triangle<T> triangle(a, order, lda, part, left ? op : other(op), diagonal);
  Matrix<T> all(b, m, n, ldb);
  const double by = double(scalar(alpha));
  std::vector<double> x(size_t(std::max(0, order)));
  for (int k = 0; k < (left ? n : m); ++k) {
    const auto at = [&](int i) -> T& { return left ? all(i, k) : all(k, i); };
    for (int i = 0; i < order; ++i) x[size_t(i)] = by * double(at(i));
    solve(triangle, x);
    for (int i = 0; i < order; ++i) at(i) = T(x[size_t(i)]);
  }
  all.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// C = alpha op(A) B, or B op(A).
template <class T>
cublasStatus_t trmm(cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, const T* b,
                    int ldb, T* c, int ldc) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  if (m < 0 || n < 0 || lda < std::max(1, order) || ldb < std::max(1, m) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  Triangle<T> triangle(a, order, lda, part, op, diagonal);
  Matrix<T> from(b, m, n, ldb), to(c, m, n, ldc);
  const double by = double(scalar(alpha));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int l = 0; l < order; ++l)
        sum += left ? triangle(i, l) * double(from(l, j)) : double(from(i, l)) * triangle(l, j);
      to(i, j) = T(by * sum);
    }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t trsv(cublasFillMode_t part, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T* a,
                    int lda, T* x, int step) {
  if (n < 0 || lda < std::max(1, n) || !step) return CUBLAS_STATUS_INVALID_VALUE;
  Triangle<T> triangle(a, n, lda, part, op, diagonal);
  Copied<T> all(x, n ? 1 + size_t(n - 1) * size_t(std::abs(step)) : 0);
  const auto at = [&](int i) -> T& {
    return all.v[size_t(step > 0 ? i : n - 1 - i) * size_t(std::abs(step))];
  };
  std::vector<double> v;
  for (int i = 0; i < n; ++i) v.push_back(double(at(i)));
  solve(triangle, v);
  for (int i = 0; i < n; ++i) at(i) = T(v[size_t(i)]);
  all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// A triangle of C = alpha op(A) op(A)^T + beta C.
template <class T>
cublasStatus_t syrk(cublasFillMode_t part, cublasOperation_t op, int n, int k, const T* alpha, const T* a,
                    int lda, const T* beta, T* c, int ldc) {
  const bool turned = op != CUBLAS_OP_N;
  if (n < 0 || k < 0 || lda < std::max(1, turned ? k : n) || ldc < std::max(1, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  Matrix<T> from(a, turned ? k : n, turned ? n : k, lda), to(c, n, n, ldc);
  const double by = double(scalar(alpha)), keep = double(scalar(beta));
  for (int j = 0; j < n; ++j)
    for (int i = part == CUBLAS_FILL_MODE_LOWER ? j : 0; i < (part == CUBLAS_FILL_MODE_LOWER ? n : j + 1);
         ++i) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += turned ? double(from(l, i)) * double(from(l, j)) : double(from(i, l)) * double(from(j, l));
      to(i, j) = T(by * sum + (keep != 0 ? keep * double(to(i, j)) : 0));
    }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// C = alpha A B + beta C, or B A, of a symmetric A that one triangle gives.
template <class T>
cublasStatus_t symm(cublasSideMode_t side, cublasFillMode_t part, int m, int n, const T* alpha, const T* a,
                    int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  const bool left = side == CUBLAS_SIDE_LEFT, lower = part == CUBLAS_FILL_MODE_LOWER;
  const int order = left ? m : n;
  if (m < 0 || n < 0 || lda < std::max(1, order) || ldb < std::max(1, m) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  Matrix<T> symmetric(a, order, order, lda), from(b, m, n, ldb), to(c, m, n, ldc);
  const auto at = [&](int i, int j) {
    return double(lower == (i >= j) || i == j ? symmetric(i, j) : symmetric(j, i));
  };
  const double by = double(scalar(alpha)), keep = double(scalar(beta));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int l = 0; l < order; ++l)
        sum += left ? at(i, l) * double(from(l, j)) : double(from(i, l)) * at(l, j);
      to(i, j) = T(by * sum + (keep != 0 ? keep * double(to(i, j)) : 0));
    }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// As the type of sums.
double wide(double x) { return x; }
std::complex<double> wide(std::complex<float> x) { return x; }
std::complex<double> wide(std::complex<double> x) { return x; }

/// C = alpha op(A) + beta op(B). A matrix whose factor is 0 is not read.
template <class T>
cublasStatus_t geam(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, const T* alpha, const T* a,
                    int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  const bool ta = op_a != CUBLAS_OP_N, tb = op_b != CUBLAS_OP_N;
  if (m < 0 || n < 0 || lda < std::max(1, ta ? n : m) || ldb < std::max(1, tb ? n : m) ||
      ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto by = wide(scalar(alpha)), and_by = wide(scalar(beta));
  using Sum = std::remove_const_t<decltype(by)>;
  const bool has_a = by != Sum(0), has_b = and_by != Sum(0);
  Matrix<T> left(a, has_a ? (ta ? n : m) : 0, ta ? m : n, lda),
      right(b, has_b ? (tb ? n : m) : 0, tb ? m : n, ldb), to(c, m, n, ldc);
  const auto of = [](Matrix<T>& from, cublasOperation_t op, int i, int j) {
    const Sum element = wide(op == CUBLAS_OP_N ? from(i, j) : from(j, i));
    if constexpr (std::is_same_v<Sum, std::complex<double>>)
      return op == CUBLAS_OP_C ? std::conj(element) : element;
    else
      return element;
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      to(i, j) =
          T((has_a ? by * of(left, op_a, i, j) : Sum(0)) + (has_b ? and_by * of(right, op_b, i, j) : Sum(0)));
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// C = diag(x) A, or A diag(x).
template <class T>
cublasStatus_t dgmm(cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x, int step, T* c,
                    int ldc) {
  if (m < 0 || n < 0 || lda < std::max(1, m) || ldc < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;
  const int count = side == CUBLAS_SIDE_LEFT ? m : n;
  Matrix<T> from(a, m, n, lda), to(c, m, n, ldc);
  const Copied<T> all(x, count ? 1 + size_t(count - 1) * size_t(std::abs(step)) : 0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const int k = side == CUBLAS_SIDE_LEFT ? i : j;
      to(i, j) = from(i, j) * all.v[size_t(step >= 0 ? k : count - 1 - k) * size_t(std::abs(step))];
    }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" {

#define MATRICES_OF(S, T)                                                                                    \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,          \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* a, int lda, T* b, int ldb) {                    \
    return blas_call(h, "cublas" #S "trsm",                                                                  \
                     [&] { return trsm(side, part, op, diagonal, m, n, alpha, a, lda, b, ldb); });           \
  }                                                                                                          \
  cublasStatus_t cublas##S##trmm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,          \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,          \
                                    int ldc) {                                                               \
    return blas_call(h, "cublas" #S "trmm",                                                                  \
                     [&] { return trmm(side, part, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc); });   \
  }                                                                                                          \
  cublasStatus_t cublas##S##trsv_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op,           \
                                    cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int step) { \
    return blas_call(h, "cublas" #S "trsv", [&] { return trsv(part, op, diagonal, n, a, lda, x, step); });   \
  }                                                                                                          \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, int n,    \
                                    int k, const T* alpha, const T* a, int lda, const T* beta, T* c,         \
                                    int ldc) {                                                               \
    return blas_call(h, "cublas" #S "syrk",                                                                  \
                     [&] { return syrk(part, op, n, k, alpha, a, lda, beta, c, ldc); });                     \
  }                                                                                                          \
  cublasStatus_t cublas##S##symm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part, int m,   \
                                    int n, const T* alpha, const T* a, int lda, const T* b, int ldb,         \
                                    const T* beta, T* c, int ldc) {                                          \
    return blas_call(h, "cublas" #S "symm",                                                                  \
                     [&] { return symm(side, part, m, n, alpha, a, lda, b, ldb, beta, c, ldc); });           \
  }                                                                                                          \
  cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,    \
                                 int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,      \
                                 int ldb, T* c, int ldc) {                                                   \
    return blas_call(h, "cublas" #S "geam",                                                                  \
                     [&] { return geam(op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc); });           \
  }                                                                                                          \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, \
                                 const T* x, int step, T* c, int ldc) {                                      \
    return blas_call(h, "cublas" #S "dgmm", [&] { return dgmm(side, m, n, a, lda, x, step, c, ldc); });      \
  }
MATRICES_OF(S, float)
MATRICES_OF(D, double)

#define OF_COMPLEX_ELEMENTS(S, T, C)                                                                         \
  cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,    \
                                 int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,      \
                                 int ldb, T* c, int ldc) {                                                   \
    return blas_call(h, "cublas" #S "geam", [&] {                                                            \
      return geam(op_a, op_b, m, n, reinterpret_cast<const C*>(alpha), reinterpret_cast<const C*>(a), lda,   \
                  reinterpret_cast<const C*>(beta), reinterpret_cast<const C*>(b), ldb,                      \
                  reinterpret_cast<C*>(c), ldc);                                                             \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, \
                                 const T* x, int step, T* c, int ldc) {                                      \
    return blas_call(h, "cublas" #S "dgmm", [&] {                                                            \
      return dgmm(side, m, n, reinterpret_cast<const C*>(a), lda, reinterpret_cast<const C*>(x), step,       \
                  reinterpret_cast<C*>(c), ldc);                                                             \
    });                                                                                                      \
  }
OF_COMPLEX_ELEMENTS(C, cuComplex, std::complex<float>)
OF_COMPLEX_ELEMENTS(Z, cuDoubleComplex, std::complex<double>)

}  // extern "C"
