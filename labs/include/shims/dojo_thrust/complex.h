// thrust::complex of host and device. Divisions scale by the larger part, so that squares do not overflow.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../cmath"
#include "../complex"
namespace _thrst {

template <class _T> struct complex {
  typedef _T value_type;
  complex() = default;  // as in Thrust: an array of them may be __shared__
  constexpr complex(const _T& re, const _T& im = _T()) : x(re), y(im) {}
  template <class _U> constexpr complex(const complex<_U>& o) : x(_T(o.real())), y(_T(o.imag())) {}
  complex(const std::complex<_T>& o) : x(o.real()), y(o.imag()) {}
  operator std::complex<_T>() const { return std::complex<_T>(x, y); }
  constexpr _T real() const { return x; }
  constexpr _T imag() const { return y; }
  void real(_T v) { x = v; }
  void imag(_T v) { y = v; }
  complex& operator+=(const complex& o) { return *this = *this + o; }
  complex& operator-=(const complex& o) { return *this = *this - o; }
  complex& operator*=(const complex& o) { return *this = *this * o; }
  complex& operator/=(const complex& o) { return *this = *this / o; }
  friend complex operator+(const complex& a) { return a; }
  friend complex operator-(const complex& a) { return complex(-a.x, -a.y); }
  friend complex operator+(const complex& a, const complex& b) { return complex(a.x + b.x, a.y + b.y); }
  friend complex operator-(const complex& a, const complex& b) { return complex(a.x - b.x, a.y - b.y); }
  friend complex operator*(const complex& a, const complex& b) {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
  }
  friend complex operator/(const complex& a, const complex& b) {
    const _T s = _T(1) / (::fabs(b.x) + ::fabs(b.y));
    const _T ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s, d = _T(1) / (bx * bx + by * by);
    return complex((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);
  }
  friend bool operator==(const complex& a, const complex& b) { return a.x == b.x && a.y == b.y; }
  friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }

 private:
  _T x, y;
};
template <class _T> _T norm(const complex<_T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class _T> _T abs(const complex<_T>& z) { return ::hypot(z.real(), z.imag()); }
template <class _T> _T arg(const complex<_T>& z) { return ::atan2(z.imag(), z.real()); }
template <class _T> complex<_T> conj(const complex<_T>& z) { return complex<_T>(z.real(), -z.imag()); }
template <class _T> complex<_T> polar(const _T& r, const _T& angle = _T()) {
  return complex<_T>(r * ::cos(angle), r * ::sin(angle));
}
template <class _T> complex<_T> exp(const complex<_T>& z) { return polar(_T(::exp(z.real())), z.imag()); }
template <class _T> complex<_T> log(const complex<_T>& z) { return complex<_T>(::log(abs(z)), arg(z)); }
template <class _T> complex<_T> sqrt(const complex<_T>& z) { return polar(_T(::sqrt(abs(z))), _T(arg(z) / 2)); }
template <class _T> complex<_T> pow(const complex<_T>& z, const _T& e) {
  return abs(z) == 0 ? complex<_T>() : polar(_T(::pow(abs(z), e)), _T(arg(z) * e));
}
template <class _T> complex<_T> pow(const complex<_T>& z, const complex<_T>& e) {
  return abs(z) == 0 ? complex<_T>() : exp(e * log(z));
}
template <class _T> complex<_T> pow(const complex<_T>& z, int n) { return pow(z, _T(n)); }
template <class _T> complex<_T> sin(const complex<_T>& z) {
  return complex<_T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag()));
}
template <class _T> complex<_T> cos(const complex<_T>& z) {
  return complex<_T>(::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag()));
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
