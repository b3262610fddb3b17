// cublas<t>gelsBatched: least squares of tall matrices by Householder's QR, in double precision on the host.
// As in LAPACK, A's place gets R and the reflectors' vectors, whose first element 1 is left out, and B's
// first rows get X.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "blas_call.hpp"
#include "blas_shapes.hpp"

namespace {
using namespace dojo::libraries;

/// A matrix by column, whose numbers are computed with as `Sum`.
struct Columns {
  std::vector<Sum> v;
  size_t ld;
  Sum& operator()(int i, int j) { return v[size_t(j) * ld + size_t(i)]; }
};

/// H = I - tau v v^H with v[k] = 1 turns rows k to m of a column into (beta, 0 ...). Returns tau, and leaves
/// beta and the rest of v in the column.
Sum make_reflector(Columns& a, int m, int k) {
  double below = 0;
  for (int i = k + 1; i < m; ++i) below += std::norm(a(i, k));
  const Sum first = a(k, k);
  if (below == 0 && first.imag() == 0) return 0;
  const double norm = std::sqrt(std::norm(first) + below), beta = first.real() > 0 ? -norm : norm;
  for (int i = k + 1; i < m; ++i) a(i, k) /= first - beta;
  a(k, k) = beta;
  return (beta - first) / beta;
}
/// Applies H^H to column j of b.
void reflect(Columns& a, int m, int k, Sum tau, Columns& b, int j) {
  Sum along = b(k, j);
  for (int i = k + 1; i < m; ++i) along += std::conj(a(i, k)) * b(i, j);
  along *= std::conj(tau);
  b(k, j) -= along;
  for (int i = k + 1; i < m; ++i) b(i, j) -= a(i, k) * along;
}

/// Returns 0, or the number of R's first diagonal element that is 0, from 1; then X is not computed.
int least_squares(Columns& a, int m, int n, Columns& b, int sides) {
  for (int k = 0; k < n; ++k) {
    const Sum tau = make_reflector(a, m, k);
    for (int j = k + 1; j < n; ++j) reflect(a, m, k, tau, a, j);
    for (int j = 0; j < sides; ++j) reflect(a, m, k, tau, b, j);
  }
  for (int k = 0; k < n; ++k)
    if (a(k, k) == Sum(0)) return k + 1;
  for (int j = 0; j < sides; ++j)
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) b(i, j) -= a(i, k) * b(k, j);
      b(i, j) /= a(i, i);
    }
  return 0;
}

template <class T>
Columns columns_of(const Copied<T>& all, int ld) {
  return {std::vector<Sum>(all.v.begin(), all.v.end()), size_t(ld)};
}
template <class T>
void put_back(Copied<T>& to, const Columns& from) {
  std::transform(from.v.begin(), from.v.end(), to.v.begin(), of_sum<T>);
  to.put();
}

template <class T>
cublasStatus_t solve_batch(cublasOperation_t op, int m, int n, int sides, T* const a[], int lda, T* const b[],
                           int ldb, int* info, int* infos, int count) {
  *info = m < 0                  ? -2
          : n < 0                ? -3
          : sides < 0            ? -4
          : lda < std::max(1, m) ? -6
          : ldb < std::max(1, m) ? -8
                                 : 0;
  if (count < 0) *info = -11;
  if (*info) return CUBLAS_STATUS_INVALID_VALUE;
  if (op != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Copied<T*> matrices(a, size_t(count)), rights(b, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i) {
    Copied<T> left(matrices.v[i], extent(m, n, lda)), right(rights.v[i], extent(m, sides, ldb));
    Columns wide = columns_of(left, lda), solution = columns_of(right, ldb);
    const int zero = least_squares(wide, m, n, solution, sides);
    put_back(left, wide), put_back(right, solution);
    if (infos) set_scalar(infos + i, zero);
  }
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" {

#define LEAST_SQUARES(S, T)                                                                                  \
  cublasStatus_t cublas##S##gelsBatched(cublasHandle_t h, cublasOperation_t op, int m, int n, int sides,     \
                                        T* const a[], int lda, T* const b[], int ldb, int* info, int* infos, \
                                        int count) {                                                         \
    return blas_call(h, "cublas" #S "gelsBatched", [&] {                                                     \
      using Plain = PlainOf<T>::type;                                                                        \
      return solve_batch(op, m, n, sides, reinterpret_cast<Plain* const*>(a), lda,                           \
                         reinterpret_cast<Plain* const*>(b), ldb, info, infos, count);                       \
    });                                                                                                      \
  }
LEAST_SQUARES(S, float)
LEAST_SQUARES(D, double)
LEAST_SQUARES(C, cuComplex)
LEAST_SQUARES(Z, cuDoubleComplex)

}  // extern "C"
