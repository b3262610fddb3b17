#pragma once
// Random numbers in kernels and on the host: linear congruential engines, and distributions over them.
#ifdef __CUDACC_RTC__
#include "all.hpp"
DOJO_SHIM_BEGIN
namespace _thrst {
template <class U, unsigned long long A, unsigned long long C, unsigned long long M> class linear_congruential_engine {
 public:
  typedef U result_type;
  explicit linear_congruential_engine(U s = 1) { seed(s); }
  void seed(U s) { at_ = s % M == 0 && C % M == 0 ? 1 : s % M; }
  U operator()() { return U(at_ = (A * at_ + C) % M); }
  void discard(unsigned long long n) {
    // The step n times is at * a + c, by squaring.
    unsigned long long a = A, c = C, all_a = 1, all_c = 0;
    for (; n; n /= 2) {
      if (n & 1) {
        all_c = (all_c * a + c) % M;
        all_a = all_a * a % M;
      }
      c = (c * a + c) % M;
      a = a * a % M;
    }
    at_ = (all_a * at_ + all_c) % M;
  }
  static constexpr U min() { return C % M == 0 ? 1 : 0; }
  static constexpr U max() { return U(M - 1); }

 private:
  unsigned long long at_;
};
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef minstd_rand default_random_engine;

/// In [a, b).
template <class T = double> class uniform_real_distribution {
 public:
  typedef T result_type;
  explicit uniform_real_distribution(T a = T(0), T b = T(1)) : a_(a), b_(b) {}
  template <class E> T operator()(E& e) const {
    return T(e() - E::min()) / (T(E::max() - E::min()) + T(1)) * (b_ - a_) + a_;
  }

 private:
  T a_, b_;
};
/// In [a, b].
template <class T = int> class uniform_int_distribution {
 public:
  typedef T result_type;
  explicit uniform_int_distribution(T a = 0, T b = 2147483647) : a_(a), b_(b) {}
  template <class E> T operator()(E& e) const {
    const double part = double(e() - E::min()) / (double(E::max() - E::min()) + 1);
    return T(a_ + T(part * (double(b_) - double(a_) + 1)));
  }

 private:
  T a_, b_;
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
