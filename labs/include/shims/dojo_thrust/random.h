#pragma once
// Random numbers in kernels and on the host: linear congruential engines, and distributions over them.
#ifdef __CUDACC_RTC__
#include "all.hpp"
DOJO_SHIM_BEGIN
namespace _thrst {
template <class _U, unsigned long long _A, unsigned long long _C, unsigned long long _M> class linear_congruential_engine {
 public:
  typedef _U result_type;
  explicit linear_congruential_engine(_U s = 1) { seed(s); }
  void seed(_U s) { at_ = s % _M == 0 && _C % _M == 0 ? 1 : s % _M; }
  _U operator()() { return _U(at_ = (_A * at_ + _C) % _M); }
  void discard(unsigned long long n) {
    // The step n times is at * a + c, by squaring.
    unsigned long long a = _A, c = _C, all_a = 1, all_c = 0;
    for (; n; n /= 2) {
      if (n & 1) {
        all_c = (all_c * a + c) % _M;
        all_a = all_a * a % _M;
      }
      c = (c * a + c) % _M;
      a = a * a % _M;
    }
    at_ = (all_a * at_ + all_c) % _M;
  }
  static constexpr _U min() { return _C % _M == 0 ? 1 : 0; }
  static constexpr _U max() { return _U(_M - 1); }

 private:
  unsigned long long at_;
};
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef minstd_rand default_random_engine;

/// In [a, b).
template <class _T = double> class uniform_real_distribution {
 public:
  typedef _T result_type;
  explicit uniform_real_distribution(_T a = _T(0), _T b = _T(1)) : a_(a), b_(b) {}
  template <class _E> _T operator()(_E& e) const {
    return _T(e() - _E::min()) / (_T(_E::max() - _E::min()) + _T(1)) * (b_ - a_) + a_;
  }

 private:
  _T a_, b_;
};
/// In [a, b].
template <class _T = int> class uniform_int_distribution {
 public:
  typedef _T result_type;
  explicit uniform_int_distribution(_T a = 0, _T b = 2147483647) : a_(a), b_(b) {}
  template <class _E> _T operator()(_E& e) const {
    const double part = double(e() - _E::min()) / (double(_E::max() - _E::min()) + 1);
    return _T(a_ + _T(part * (double(b_) - double(a_) + 1)));
  }

 private:
  _T a_, b_;
};
namespace random {
using _thrst::default_random_engine;
using _thrst::minstd_rand;
using _thrst::uniform_int_distribution;
using _thrst::uniform_real_distribution;
}  // namespace random
}  // namespace _thrst
DOJO_SHIM_END
#endif
