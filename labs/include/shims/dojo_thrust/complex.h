// thrust::complex of host and device. Divisions scale by the larger part, so that squares do not overflow.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../cmath"
#include "../complex"
namespace _thrst {

template <class T> struct complex {
  typedef T value_type;
  complex() = default;  // as in Thrust: an array of them may be __shared__
  constexpr complex(const T& re, const T& im = T()) : x(re), y(im) {}
  template <class U> constexpr complex(const complex<U>& o) : x(T(o.real())), y(T(o.imag())) {}
  complex(const std::complex<T>& o) : x(o.real()), y(o.imag()) {}
  operator std::complex<T>() const { return std::complex<T>(x, y); }
  constexpr T real() const { return x; }
  constexpr T imag() const { return y; }
  void real(T v) { x = v; }
  void imag(T v) { y = v; }
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
    const T s = T(1) / (::fabs(b.x) + ::fabs(b.y));
    const T ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s, d = T(1) / (bx * bx + by * by);
    return complex((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);
  }
  friend bool operator==(const complex& a, const complex& b) { return a.x == b.x && a.y == b.y; }
  friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }

 private:
  T x, y;
};
template <class T> T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> T abs(const complex<T>& z) { return ::hypot(z.real(), z.imag()); }
template <class T> T arg(const complex<T>& z) { return ::atan2(z.imag(), z.real()); }
template <class T> complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
template <class T> complex<T> polar(const T& r, const T& angle = T()) {
  return complex<T>(r * ::cos(angle), r * ::sin(angle));
}
template <class T> complex<T> exp(const complex<T>& z) { return polar(T(::exp(z.real())), z.imag()); }
template <class T> complex<T> log(const complex<T>& z) { return complex<T>(::log(abs(z)), arg(z)); }
template <class T> complex<T> sqrt(const complex<T>& z) { return polar(T(::sqrt(abs(z))), T(arg(z) / 2)); }
template <class T> complex<T> pow(const complex<T>& z, const T& e) {
  return abs(z) == 0 ? complex<T>() : polar(T(::pow(abs(z), e)), T(arg(z) * e));
}
template <class T> complex<T> pow(const complex<T>& z, const complex<T>& e) {
  return abs(z) == 0 ? complex<T>() : exp(e * log(z));
}
template <class T> complex<T> pow(const complex<T>& z, int n) { return pow(z, T(n)); }
template <class T> complex<T> sin(const complex<T>& z) {
  return complex<T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag()));
}
template <class T> complex<T> cos(const complex<T>& z) {
  return complex<T>(::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag()));
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
