#pragma once
// Matrices of cuBLAS in the three ways that it stores them (whole, in bands, packed), as sums of
// complex<double> see them. Of real matrices the imaginary parts are 0.
#include <cublas_v2.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <type_traits>

#include "shared/not_simulated.hpp"

namespace dojo::libraries {

using Sum = std::complex<double>;

/// cuBLAS's type as the library computes with it.
template <class T>
struct PlainOf {
  using type = T;
};
template <>
struct PlainOf<cuComplex> {
  using type = std::complex<float>;
};
template <>
struct PlainOf<cuDoubleComplex> {
  using type = std::complex<double>;
};
template <class T>
typename PlainOf<T>::type* plain_type(T* p) {
  return reinterpret_cast<typename PlainOf<T>::type*>(p);
}
template <class T>
const typename PlainOf<T>::type* plain_type(const T* p) {
  return reinterpret_cast<const typename PlainOf<T>::type*>(p);
}

template <class T>
constexpr bool is_complex = false;
template <class R>
constexpr bool is_complex<std::complex<R>> = true;

/// What sums of elements of type T are.
template <class T>
using SumOf = std::conditional_t<is_complex<T>, Sum, double>;
inline double conjugate(double s) { return s; }
inline Sum conjugate(Sum s) { return std::conj(s); }

template <class T>
T of_sum(Sum s) {
  if constexpr (is_complex<T>)
    return T(s);
  else
    return T(s.real());
}

/// Elements from the first to the last of a column-major matrix.
inline size_t extent(long rows, long columns, long leading) {
  return rows > 0 && columns > 0 ? size_t((columns - 1) * leading + rows) : 0;
}

/// [i] is the i-th element, whatever the increment's sign.
template <class T>
struct Strided {
  Copied<T> all;
  long n, step;
  Strided(const T* at, long count, long increment)
      : all(at, count > 0 ? size_t(1 + (count - 1) * std::labs(increment)) : 0), n(count), step(increment) {}
  T& operator[](long i) { return all.v[size_t(step > 0 ? i * step : (i - n + 1) * step)]; }
};

/// Where element (i, j) lies. Example: a lower triangle of order 3, packed, has (2, 1) at 4.
struct Layout {
  enum Kind { whole, band, packed } kind = whole;
  long ld = 0, below = 0, above = 0;  ///< of a band: diagonals
  bool lower = false;                 ///< packed
  long n = 0;                         ///< columns
  bool has(long i, long j) const { return kind != band || (i - j <= below && j - i <= above); }
  size_t at(long i, long j) const {
    if (kind == whole) return size_t(j * ld + i);
    if (kind == band) return size_t(j * ld + above + i - j);
    return size_t(lower ? i + (2 * n - j - 1) * j / 2 : i + j * (j + 1) / 2);
  }
  size_t elements(long rows) const {
    if (n <= 0 || rows <= 0) return 0;
    if (kind == packed) return size_t(n * (n + 1) / 2);
    return size_t((n - 1) * ld + (kind == band ? below + above + 1 : rows));
  }
  static Layout of_whole(long n, long ld) { return {whole, ld, 0, 0, false, n}; }
  static Layout of_triangle(long n, long k, long ld, cublasFillMode_t part) {
    const bool low = part == CUBLAS_FILL_MODE_LOWER;
    return {band, ld, low ? k : 0, low ? 0 : k, low, n};
  }
  static Layout of_packed(long n, cublasFillMode_t part) {
    return {packed, 0, 0, 0, part == CUBLAS_FILL_MODE_LOWER, n};
  }
};

/// A matrix of which one triangle is stored: symmetric, Hermitian, or triangular.
template <class T>
struct Stored {
  Layout layout;
  bool lower;
  Copied<T> all;
  Stored(const T* at, const Layout& l, cublasFillMode_t part)
      : layout(l), lower(part == CUBLAS_FILL_MODE_LOWER), all(at, l.elements(l.n)) {}
  bool in_triangle(long i, long j) const { return lower ? i >= j : i <= j; }
  Sum raw(long i, long j) const { return layout.has(i, j) ? Sum(all.v[layout.at(i, j)]) : Sum(0); }
  Sum symmetric(long i, long j) const { return in_triangle(i, j) ? raw(i, j) : raw(j, i); }
  Sum hermitian(long i, long j) const {
    if (i == j) return raw(i, i).real();
    return in_triangle(i, j) ? raw(i, j) : std::conj(raw(j, i));
  }
  Sum triangular(long i, long j, cublasOperation_t op, cublasDiagType_t diagonal) const {
    if (i == j && diagonal == CUBLAS_DIAG_UNIT) return 1;
    const bool turned = op != CUBLAS_OP_N;
    const long r = turned ? j : i, c = turned ? i : j;
    if (!in_triangle(r, c)) return 0;
    return op == CUBLAS_OP_C ? std::conj(raw(r, c)) : raw(r, c);
  }
  void put(long i, long j, Sum s) { all.v[layout.at(i, j)] = of_sum<T>(s); }
};

/// Element (i, j) of op(A), of a matrix that is stored whole.
template <class T>
struct Operand {
  Copied<T> all;
  long ld;
  cublasOperation_t op;
  Operand(const T* at, long rows, long columns, long leading, cublasOperation_t o)
      : all(at, o == CUBLAS_OP_N ? extent(rows, columns, leading) : extent(columns, rows, leading)),
        ld(leading),
        op(o) {}
  SumOf<T> operator()(long i, long j) const {
    const SumOf<T> s(all.v[size_t(op == CUBLAS_OP_N ? j * ld + i : i * ld + j)]);
    return op == CUBLAS_OP_C ? conjugate(s) : s;
  }
};

}  // namespace dojo::libraries
