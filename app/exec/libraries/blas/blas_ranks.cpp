// cuBLAS calls that update a symmetric or Hermitian matrix by products, products with complex symmetric and
// triangular matrices, and rotations that are made or have their own matrix; on copies in host memory.
#include <algorithm>
#include <cmath>
#include <vector>

#include "blas_call.hpp"
#include "blas_shapes.hpp"

namespace {
using namespace dojo::libraries;

/// A triangle of C = alpha op(A) op(B)^T + beta C, or ^H. `twice`: and alpha op(B) op(A)^T, or conj(alpha)
/// and ^H.
template <class T>
cublasStatus_t update(cublasFillMode_t part, cublasOperation_t op, int n, int k, Sum by, const T* a, int lda,
                      const T* b, int ldb, Sum keep, T* c, int ldc, bool hermitian, bool twice) {
  const int rows = op == CUBLAS_OP_N ? n : k;
  if (n < 0 || k < 0 || lda < std::max(1, rows) || ldb < std::max(1, rows) || ldc < std::max(1, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Operand<T> left(a, n, k, lda, op), right(b, n, k, ldb, op);
  Stored<T> to(c, Layout::of_whole(n, ldc), part);
  const auto turned = [&](Sum s) { return hermitian ? std::conj(s) : s; };
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      if (!to.in_triangle(i, j)) continue;
      Sum sum = 0, other = 0;
      for (long l = 0; l < k; ++l) {
        sum += left(i, l) * turned(right(j, l));
        if (twice) other += right(i, l) * turned(left(j, l));
      }
      const Sum all = by * sum + turned(by) * other + (keep != Sum(0) ? keep * to.raw(i, j) : Sum(0));
      to.put(i, j, hermitian && i == j ? Sum(all.real()) : all);
    }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// C = alpha A B + beta C, or B A, where `at` gives the square matrix A.
template <class T, class At>
cublasStatus_t times(cublasSideMode_t side, int m, int n, Sum by, At at, const T* b, int ldb, Sum keep, T* c,
                     int ldc) {
  const long order = side == CUBLAS_SIDE_LEFT ? m : n;
  const Operand<T> from(b, m, n, ldb, CUBLAS_OP_N);
  Copied<T> to(c, extent(m, n, ldc));
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i) {
      Sum sum = 0;
      for (long l = 0; l < order; ++l)
        sum += side == CUBLAS_SIDE_LEFT ? at(i, l) * from(l, j) : from(i, l) * at(l, j);
      T& one = to.v[size_t(j * ldc + i)];
      one = of_sum<T>(by * sum + (keep != Sum(0) ? keep * Sum(one) : Sum(0)));
    }
  to.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// B = alpha op(A)^-1 B, or B op(A)^-1: each row, with the transposed triangle.
template <class T>
cublasStatus_t solve(cublasSideMode_t side, const Stored<T>& a, cublasOperation_t op, cublasDiagType_t d,
                     int m, int n, Sum by, T* b, int ldb) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const bool lower = (a.lower == (op == CUBLAS_OP_N)) == left;
  const long order = left ? m : n;
  const auto at = [&](long i, long j) {
    return left ? a.triangular(i, j, op, d) : a.triangular(j, i, op, d);
  };
  Copied<T> to(b, extent(m, n, ldb));
  std::vector<Sum> x(static_cast<size_t>(order));
  for (long k = 0; k < (left ? n : m); ++k) {
    const auto of = [&](long i) -> T& { return to.v[size_t(left ? k * ldb + i : i * ldb + k)]; };
    for (long step = 0; step < order; ++step) {
      const long i = lower ? step : order - 1 - step;
      Sum sum = by * Sum(of(i));
      for (long j = lower ? 0 : i + 1; j < (lower ? i : order); ++j) sum -= at(i, j) * x[size_t(j)];
      x[size_t(i)] = sum / at(i, i);
    }
    for (long i = 0; i < order; ++i) of(i) = of_sum<T>(x[size_t(i)]);
  }
  to.put();
  return CUBLAS_STATUS_SUCCESS;
}

bool bad_sides(cublasSideMode_t side, int m, int n, int lda, int ldb) {
  return m < 0 || n < 0 || lda < std::max(1, side == CUBLAS_SIDE_LEFT ? m : n) || ldb < std::max(1, m);
}

/// The rotation that turns (a, b) into (r, 0), as the reference BLAS makes it: a becomes r, b what c and s
/// can be had from again.
template <class T>
cublasStatus_t rotg(T* a, T* b, T* c, T* s) {
  const double x = double(scalar(a)), y = double(scalar(b)), scale = std::fabs(x) + std::fabs(y);
  double cosine = 1, sine = 0, r = 0, z = 0;
  if (scale != 0) {
    const bool first = std::fabs(x) > std::fabs(y);
    r = std::copysign(std::hypot(x, y), first ? x : y);
    cosine = x / r, sine = y / r;
    z = first ? sine : cosine != 0 ? 1 / cosine : 1;
  }
  set_scalar(a, T(r)), set_scalar(b, T(z)), set_scalar(c, T(cosine)), set_scalar(s, T(sine));
  return CUBLAS_STATUS_SUCCESS;
}
template <class T, class R>
cublasStatus_t complex_rotg(T* a, T* b, R* c, T* s) {
  const Sum x(scalar(a)), y(scalar(b));
  Sum sine = 1, r = y;
  double cosine = 0;
  if (std::abs(x) != 0) {
    const double norm = std::hypot(std::abs(x), std::abs(y));
    const Sum direction = x / std::abs(x);
    cosine = std::abs(x) / norm, sine = direction * std::conj(y) / norm, r = direction * norm;
  }
  set_scalar(a, T(r)), set_scalar(c, R(cosine)), set_scalar(s, T(sine));
  return CUBLAS_STATUS_SUCCESS;
}

/// (x, y) = H (x, y). parameters: which elements of H are given, then H by column.
template <class T>
cublasStatus_t rotm(int n, T* x, int incx, T* y, int incy, const T* parameters) {
  const Copied<T> p(parameters, 5);
  const int flag = int(p.v[0]);
  if (flag == -2 || n <= 0) return CUBLAS_STATUS_SUCCESS;
  const double a = flag == 0 ? 1 : double(p.v[1]), b = flag == 1 ? -1 : double(p.v[2]),
               c = flag == 1 ? 1 : double(p.v[3]), d = flag == 0 ? 1 : double(p.v[4]);
  Strided<T> v(x, n, incx), w(y, n, incy);
  for (long i = 0; i < n; ++i) {
    const double one = double(v[i]), two = double(w[i]);
    v[i] = T(a * one + c * two), w[i] = T(b * one + d * two);
  }
  v.all.put(), w.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" {

#define UPDATE(S, T, A, NAME, SUFFIX, H, B, TWICE)                                                          \
  cublasStatus_t cublas##S##NAME##SUFFIX(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op,     \
                                         int n, int k, const A* alpha, const T* a, int lda, const T* b,     \
                                         int ldb, const B* beta, T* c, int ldc) {                           \
    return blas_call(h, "cublas" #S #NAME, [&] {                                                            \
      return update(part, op, n, k, Sum(scalar(plain_type(alpha))), plain_type(a), lda, plain_type(b), ldb, \
                    Sum(scalar(plain_type(beta))), plain_type(c), ldc, H, TWICE);                           \
    });                                                                                                     \
  }
#define UPDATE_BY_ONE(S, T, A, NAME, H)                                                                     \
  cublasStatus_t cublas##S##NAME##_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, int n, \
                                      int k, const A* alpha, const T* a, int lda, const A* beta, T* c,      \
                                      int ldc) {                                                            \
    return blas_call(h, "cublas" #S #NAME, [&] {                                                            \
      return update(part, op, n, k, Sum(scalar(plain_type(alpha))), plain_type(a), lda, plain_type(a), lda, \
                    Sum(scalar(plain_type(beta))), plain_type(c), ldc, H, false);                           \
    });                                                                                                     \
  }
UPDATE(S, float, float, syr2k, _v2, false, float, true)
UPDATE(D, double, double, syr2k, _v2, false, double, true)
UPDATE(S, float, float, syrkx, , false, float, false)
UPDATE(D, double, double, syrkx, , false, double, false)

#define PRODUCT(S, T, NAME, ELEMENT)                                                                         \
  cublasStatus_t cublas##S##NAME##_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part, int m, \
                                      int n, const T* alpha, const T* a, int lda, const T* b, int ldb,       \
                                      const T* beta, T* c, int ldc) {                                        \
    return blas_call(h, "cublas" #S #NAME, [&] {                                                             \
      if (bad_sides(side, m, n, lda, ldb) || ldc < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;       \
      const Stored one(plain_type(a), Layout::of_whole(side == CUBLAS_SIDE_LEFT ? m : n, lda), part);        \
      return times(                                                                                          \
          side, m, n, Sum(scalar(plain_type(alpha))), [&](long i, long j) { return one.ELEMENT(i, j); },     \
          plain_type(b), ldb, Sum(scalar(plain_type(beta))), plain_type(c), ldc);                            \
    });                                                                                                      \
  }
#define OF_COMPLEX_MATRICES(S, T, R)                                                                        \
  UPDATE(S, T, T, syr2k, _v2, false, T, true)                                                               \
  UPDATE(S, T, T, syrkx, , false, T, false)                                                                 \
  UPDATE(S, T, T, her2k, _v2, true, R, true)                                                                \
  UPDATE(S, T, T, herkx, , true, R, false)                                                                  \
  UPDATE_BY_ONE(S, T, T, syrk, false)                                                                       \
  UPDATE_BY_ONE(S, T, R, herk, true)                                                                        \
  PRODUCT(S, T, symm, symmetric)                                                                            \
  PRODUCT(S, T, hemm, hermitian)                                                                            \
  cublasStatus_t cublas##S##trmm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,         \
                                    cublasOperation_t op, cublasDiagType_t d, int m, int n, const T* alpha, \
                                    const T* a, int lda, const T* b, int ldb, T* c, int ldc) {              \
    return blas_call(h, "cublas" #S "trmm", [&] {                                                           \
      if (bad_sides(side, m, n, lda, ldb) || ldc < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;      \
      const Stored one(plain_type(a), Layout::of_whole(side == CUBLAS_SIDE_LEFT ? m : n, lda), part);       \
      return times(                                                                                         \
          side, m, n, Sum(scalar(plain_type(alpha))),                                                       \
          [&](long i, long j) { return one.triangular(i, j, op, d); }, plain_type(b), ldb, Sum(0),          \
          plain_type(c), ldc);                                                                              \
    });                                                                                                     \
  }                                                                                                         \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t part,         \
                                    cublasOperation_t op, cublasDiagType_t d, int m, int n, const T* alpha, \
                                    const T* a, int lda, T* b, int ldb) {                                   \
    return blas_call(h, "cublas" #S "trsm", [&] {                                                           \
      if (bad_sides(side, m, n, lda, ldb)) return CUBLAS_STATUS_INVALID_VALUE;                              \
      const Stored one(plain_type(a), Layout::of_whole(side == CUBLAS_SIDE_LEFT ? m : n, lda), part);       \
      return solve(side, one, op, d, m, n, Sum(scalar(plain_type(alpha))), plain_type(b), ldb);             \
    });                                                                                                     \
  }                                                                                                         \
  cublasStatus_t cublas##S##rotg_v2(cublasHandle_t h, T* a, T* b, R* c, T* s) {                             \
    return blas_call(h, "cublas" #S "rotg",                                                                 \
                     [&] { return complex_rotg(plain_type(a), plain_type(b), c, plain_type(s)); });         \
  }
OF_COMPLEX_MATRICES(C, cuComplex, float)
OF_COMPLEX_MATRICES(Z, cuDoubleComplex, double)

#define ROTATIONS(S, T)                                                                                    \
  cublasStatus_t cublas##S##rotg_v2(cublasHandle_t h, T* a, T* b, T* c, T* s) {                            \
    return blas_call(h, "cublas" #S "rotg", [&] { return rotg(a, b, c, s); });                             \
  }                                                                                                        \
  cublasStatus_t cublas##S##rotm_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* p) { \
    return blas_call(h, "cublas" #S "rotm", [&] { return rotm(n, x, incx, y, incy, p); });                 \
  }
ROTATIONS(S, float)
ROTATIONS(D, double)

}  // extern "C"
