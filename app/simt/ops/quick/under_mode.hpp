#pragma once
// Operations under a directed rounding: one change of the processor's mode per warp instruction, and a loop
// over its lanes in between.
#include <cmath>

#include "simt/ops/arithmetic/float_lanes.hpp"
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {

/// a op b; fma: a * b + c; sqrt(a); rcp: 1 / a. To the GPU's bits, as far as the mode of the processor is
/// set.
template <RoundedOp Op, class T, bool Ftz, bool Sat>
struct Rounded {
  using D = T;
  using A = T;
  static T f(T a, T b, T c) {
    if constexpr (Ftz) a = flush(a), b = flush(b), c = flush(c);
    T r;
    if constexpr (Op == RoundedOp::add) r = a + b;
    if constexpr (Op == RoundedOp::sub) r = a - b;
    if constexpr (Op == RoundedOp::mul) r = a * b;
    if constexpr (Op == RoundedOp::div) r = a / b;
    if constexpr (Op == RoundedOp::fma) r = std::fma(a, b, c);
    if constexpr (Op == RoundedOp::sqrt) r = std::sqrt(a);
    if constexpr (Op == RoundedOp::rcp) r = T(1) / a;
    r = canonical(r, Op == RoundedOp::fma ? c : a);
    if constexpr (Op != RoundedOp::sqrt && Op != RoundedOp::rcp) r = operand_nan(a, b, r);
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};
/// A conversion to `To`.
template <class To, class From, bool Ftz>
struct RoundedTo {
  using D = To;
  using A = From;
  static To f(From a, From, From) {
    To r = To(a);
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};

/// flags: the mode.
template <class Op, Mode M>
const Inst* run_under_mode(const Inst* p, Exec& x) {
  using D = typename Op::D;
  using A = typename Op::A;
  auto* d = x.slot<Slot<D>>(p->d);
  const auto *a = x.slot<Slot<A>>(p->a), *b = x.slot<Slot<A>>(p->b), *c = x.slot<Slot<A>>(p->c);
  {
    const RoundingMode mode(Round(p->flags));
    if constexpr (M == Mode::single) {
      d[0] = put<D>(Op::f(get<A>(a[0]), get<A>(b[0]), get<A>(c[0])));
    } else {
      const int32_t* l = x.lanes;
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i) {
        const Slot<D> r = put<D>(Op::f(get<A>(a[i]), get<A>(b[i]), get<A>(c[i])));
        d[i] = M == Mode::full || l[i] ? r : d[i];
      }
    }
  }
  if constexpr (M != Mode::single) return go_on(p, x);
  return p + 1;
}
template <class Op>
constexpr Handlers under_mode{run_under_mode<Op, Mode::full>, run_under_mode<Op, Mode::partial>,
                              run_under_mode<Op, Mode::single>};

}  // namespace dojo::simt
