// cuBLAS calls on a vector and a matrix of which one triangle or some diagonals are stored, whole, in bands
// or packed, on copies in host memory.
#include "blas_shapes.hpp"

#include <vector>

#include "blas_call.hpp"

namespace {
using namespace dojo::libraries;

/// y = alpha A x + beta y.
template <class T>
cublasStatus_t symmetric_times(const Stored<T>& a, bool hermitian, const T* alpha, const T* x, int incx,
                               const T* beta, T* y, int incy) {
  const long n = a.layout.n;
  if (!incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> from(x, n, incx), to(y, n, incy);
  const Sum by(scalar(alpha)), keep(scalar(beta));
  for (long i = 0; i < n; ++i) {
    Sum sum = 0;
    for (long j = 0; j < n; ++j) sum += (hermitian ? a.hermitian(i, j) : a.symmetric(i, j)) * Sum(from[j]);
    to[i] = of_sum<T>(by * sum + (keep != Sum(0) ? keep * Sum(to[i]) : Sum(0)));
  }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// x = op(A) x, or op(A)^-1 x.
template <class T>
cublasStatus_t triangular(const Stored<T>& a, cublasOperation_t op, cublasDiagType_t diagonal, T* x, int incx,
                          bool solve) {
  const long n = a.layout.n;
  if (!incx) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> v(x, n, incx);
  std::vector<Sum> in, out(static_cast<size_t>(n));
  for (long i = 0; i < n; ++i) in.push_back(Sum(v[i]));
  const bool lower = a.lower == (op == CUBLAS_OP_N);
  for (long k = 0; k < n; ++k) {
    const long i = lower ? k : n - 1 - k;
    Sum sum = solve ? in[size_t(i)] : Sum(0);
    for (long j = 0; j < n; ++j) {
      if (solve ? (lower ? j >= i : j <= i) : false) continue;
      const Sum part = a.triangular(i, j, op, diagonal);
      sum += solve ? -part * out[size_t(j)] : part * in[size_t(j)];
    }
    out[size_t(i)] = solve ? sum / a.triangular(i, i, op, diagonal) : sum;
  }
  for (long i = 0; i < n; ++i) v[i] = of_sum<T>(out[size_t(i)]);
  v.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// A += alpha x x^T, or x x^H.
template <class T>
cublasStatus_t add_square(Stored<T> a, bool hermitian, Sum by, const T* x, int incx) {
  const long n = a.layout.n;
  if (!incx) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> v(x, n, incx);
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      if (!a.in_triangle(i, j)) continue;
      const Sum other = hermitian ? std::conj(Sum(v[j])) : Sum(v[j]);
      const Sum s = a.raw(i, j) + by * Sum(v[i]) * other;
      a.put(i, j, hermitian && i == j ? Sum(s.real()) : s);
    }
  a.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// A += alpha x y^T + alpha y x^T, or alpha x y^H + conj(alpha) y x^H.
template <class T>
cublasStatus_t add_products(Stored<T> a, bool hermitian, const T* alpha, const T* x, int incx, const T* y,
                            int incy) {
  const long n = a.layout.n;
  if (!incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  Strided<T> v(x, n, incx), w(y, n, incy);
  const Sum by(scalar(alpha));
  const auto turned = [&](Sum s) { return hermitian ? std::conj(s) : s; };
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      if (!a.in_triangle(i, j)) continue;
      const Sum s =
          a.raw(i, j) + by * Sum(v[i]) * turned(Sum(w[j])) + turned(by) * Sum(w[i]) * turned(Sum(v[j]));
      a.put(i, j, hermitian && i == j ? Sum(s.real()) : s);
    }
  a.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// y = alpha op(A) x + beta y, of a matrix with `below` and `above` diagonals beside the main one.
template <class T>
cublasStatus_t band_times(cublasOperation_t op, int m, int n, int below, int above, const T* alpha,
                          const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (m < 0 || n < 0 || below < 0 || above < 0 || lda < below + above + 1 || !incx || !incy)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool turned = op != CUBLAS_OP_N;
  const Layout layout{Layout::band, lda, below, above, false, n};
  const Copied<T> all(a, layout.elements(m));
  Strided<T> from(x, turned ? m : n, incx), to(y, turned ? n : m, incy);
  const Sum by(scalar(alpha)), keep(scalar(beta));
  for (long i = 0; i < to.n; ++i) {
    Sum sum = 0;
    for (long k = 0; k < from.n; ++k) {
      const long row = turned ? k : i, column = turned ? i : k;
      if (!layout.has(row, column)) continue;
      const Sum part(all.v[layout.at(row, column)]);
      sum += (op == CUBLAS_OP_C ? std::conj(part) : part) * Sum(from[k]);
    }
    to[i] = of_sum<T>(by * sum + (keep != Sum(0) ? keep * Sum(to[i]) : Sum(0)));
  }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

bool bad_whole(int n, int ld) { return n < 0 || ld < std::max(1, n); }
bool bad_band(int n, int k, int ld) { return n < 0 || k < 0 || ld < k + 1; }
}  // namespace

extern "C" {

// MV, BMV, PMV: "symv", "sbmv", "spmv" or "hemv", "hbmv", "hpmv".
#define SYMMETRIC_TIMES(S, T, MV, H)                                                                      \
  cublasStatus_t cublas##S##MV##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const T* alpha,       \
                                    const T* a, int lda, const T* x, int incx, const T* beta, T* y,       \
                                    int incy) {                                                           \
    return blas_call(h, "cublas" #S #MV, [&] {                                                            \
      if (bad_whole(n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                          \
      return symmetric_times(Stored(plain_type(a), Layout::of_whole(n, lda), part), H, plain_type(alpha), \
                             plain_type(x), incx, plain_type(beta), plain_type(y), incy);                 \
    });                                                                                                   \
  }
#define BAND_TIMES(S, T, BMV, H)                                                                             \
  cublasStatus_t cublas##S##BMV##_v2(cublasHandle_t h, cublasFillMode_t part, int n, int k, const T* alpha,  \
                                     const T* a, int lda, const T* x, int incx, const T* beta, T* y,         \
                                     int incy) {                                                             \
    return blas_call(h, "cublas" #S #BMV, [&] {                                                              \
      if (bad_band(n, k, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                           \
      return symmetric_times(Stored(plain_type(a), Layout::of_triangle(n, k, lda, part), part), H,           \
                             plain_type(alpha), plain_type(x), incx, plain_type(beta), plain_type(y), incy); \
    });                                                                                                      \
  }
#define PACKED_TIMES(S, T, PMV, H)                                                                          \
  cublasStatus_t cublas##S##PMV##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const T* alpha,        \
                                     const T* a, const T* x, int incx, const T* beta, T* y, int incy) {     \
    return blas_call(h, "cublas" #S #PMV, [&] {                                                             \
      if (n < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                        \
      return symmetric_times(Stored(plain_type(a), Layout::of_packed(n, part), part), H, plain_type(alpha), \
                             plain_type(x), incx, plain_type(beta), plain_type(y), incy);                   \
    });                                                                                                     \
  }
// A: the type of alpha.
#define ADD_SQUARE(S, T, A, R, PR, H)                                                              \
  cublasStatus_t cublas##S##R##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const A* alpha, \
                                   const T* x, int incx, T* a, int lda) {                          \
    return blas_call(h, "cublas" #S #R, [&] {                                                      \
      if (bad_whole(n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                   \
      return add_square(Stored(plain_type(a), Layout::of_whole(n, lda), part), H,                  \
                        Sum(scalar(plain_type(alpha))), plain_type(x), incx);                      \
    });                                                                                            \
  }                                                                                                \
  ADD_SQUARE_PACKED(S, T, A, PR, H)
#define ADD_SQUARE_PACKED(S, T, A, PR, H)                                                           \
  cublasStatus_t cublas##S##PR##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const A* alpha, \
                                    const T* x, int incx, T* a) {                                   \
    return blas_call(h, "cublas" #S #PR, [&] {                                                      \
      if (n < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                \
      return add_square(Stored(plain_type(a), Layout::of_packed(n, part), part), H,                 \
                        Sum(scalar(plain_type(alpha))), plain_type(x), incx);                       \
    });                                                                                             \
  }
#define ADD_PRODUCTS(S, T, R2, H)                                                                      \
  cublasStatus_t cublas##S##R2##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const T* alpha,    \
                                    const T* x, int incx, const T* y, int incy, T* a, int lda) {       \
    return blas_call(h, "cublas" #S #R2, [&] {                                                         \
      if (bad_whole(n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                       \
      return add_products(Stored(plain_type(a), Layout::of_whole(n, lda), part), H, plain_type(alpha), \
                          plain_type(x), incx, plain_type(y), incy);                                   \
    });                                                                                                \
  }
#define ADD_PRODUCTS_PACKED(S, T, PR2, H)                                                                \
  cublasStatus_t cublas##S##PR2##_v2(cublasHandle_t h, cublasFillMode_t part, int n, const T* alpha,     \
                                     const T* x, int incx, const T* y, int incy, T* a) {                 \
    return blas_call(h, "cublas" #S #PR2, [&] {                                                          \
      if (n < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                     \
      return add_products(Stored(plain_type(a), Layout::of_packed(n, part), part), H, plain_type(alpha), \
                          plain_type(x), incx, plain_type(y), incy);                                     \
    });                                                                                                  \
  }
#define TRIANGULAR(S, T, MV, SOLVE)                                                                        \
  cublasStatus_t cublas##S##tr##MV##_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op,     \
                                        cublasDiagType_t d, int n, const T* a, int lda, T* x, int incx) {  \
    return blas_call(h, "cublas" #S "tr" #MV, [&] {                                                        \
      if (bad_whole(n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                           \
      return triangular(Stored(plain_type(a), Layout::of_whole(n, lda), part), op, d, plain_type(x), incx, \
                        SOLVE);                                                                            \
    });                                                                                                    \
  }
#define TRIANGULAR_BAND(S, T, MV, SOLVE)                                                               \
  cublasStatus_t cublas##S##tb##MV##_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op, \
                                        cublasDiagType_t d, int n, int k, const T* a, int lda, T* x,   \
                                        int incx) {                                                    \
    return blas_call(h, "cublas" #S "tb" #MV, [&] {                                                    \
      if (bad_band(n, k, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                     \
      return triangular(Stored(plain_type(a), Layout::of_triangle(n, k, lda, part), part), op, d,      \
                        plain_type(x), incx, SOLVE);                                                   \
    });                                                                                                \
  }
#define TRIANGULAR_PACKED(S, T, MV, SOLVE)                                                                   \
  cublasStatus_t cublas##S##tp##MV##_v2(cublasHandle_t h, cublasFillMode_t part, cublasOperation_t op,       \
                                        cublasDiagType_t d, int n, const T* a, T* x, int incx) {             \
    return blas_call(h, "cublas" #S "tp" #MV, [&] {                                                          \
      if (n < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                         \
      return triangular(Stored(plain_type(a), Layout::of_packed(n, part), part), op, d, plain_type(x), incx, \
                        SOLVE);                                                                              \
    });                                                                                                      \
  }
#define OF_EVERY_TYPE(S, T)                                                                                 \
  SYMMETRIC_TIMES(S, T, symv, false)                                                                        \
  ADD_PRODUCTS(S, T, syr2, false)                                                                           \
  TRIANGULAR(S, T, mv, false)                                                                               \
  TRIANGULAR_BAND(S, T, mv, false)                                                                          \
  TRIANGULAR_BAND(S, T, sv, true)                                                                           \
  TRIANGULAR_PACKED(S, T, mv, false)                                                                        \
  TRIANGULAR_PACKED(S, T, sv, true)                                                                         \
  cublasStatus_t cublas##S##gbmv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, int below,        \
                                    int above, const T* alpha, const T* a, int lda, const T* x, int incx,   \
                                    const T* beta, T* y, int incy) {                                        \
    return blas_call(h, "cublas" #S "gbmv", [&] {                                                           \
      return band_times(op, m, n, below, above, plain_type(alpha), plain_type(a), lda, plain_type(x), incx, \
                        plain_type(beta), plain_type(y), incy);                                             \
    });                                                                                                     \
  }
OF_EVERY_TYPE(S, float)
OF_EVERY_TYPE(D, double)
OF_EVERY_TYPE(C, cuComplex)
OF_EVERY_TYPE(Z, cuDoubleComplex)

#define OF_REAL(S, T)                  \
  BAND_TIMES(S, T, sbmv, false)        \
  PACKED_TIMES(S, T, spmv, false)      \
  ADD_SQUARE(S, T, T, syr, spr, false) \
  ADD_PRODUCTS_PACKED(S, T, spr2, false)
OF_REAL(S, float)
OF_REAL(D, double)

#define OF_COMPLEX(S, T, R)                                                                        \
  TRIANGULAR(S, T, sv, true)                                                                       \
  SYMMETRIC_TIMES(S, T, hemv, true)                                                                \
  BAND_TIMES(S, T, hbmv, true)                                                                     \
  PACKED_TIMES(S, T, hpmv, true)                                                                   \
  ADD_SQUARE(S, T, R, her, hpr, true)                                                              \
  ADD_PRODUCTS(S, T, her2, true)                                                                   \
  ADD_PRODUCTS_PACKED(S, T, hpr2, true)                                                            \
  cublasStatus_t cublas##S##syr_v2(cublasHandle_t h, cublasFillMode_t part, int n, const T* alpha, \
                                   const T* x, int incx, T* a, int lda) {                          \
    return blas_call(h, "cublas" #S "syr", [&] {                                                   \
      if (bad_whole(n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                   \
      return add_square(Stored(plain_type(a), Layout::of_whole(n, lda), part), false,              \
                        Sum(scalar(plain_type(alpha))), plain_type(x), incx);                      \
    });                                                                                            \
  }
OF_COMPLEX(C, cuComplex, float)
OF_COMPLEX(Z, cuDoubleComplex, double)

}  // extern "C"
