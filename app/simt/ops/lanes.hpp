#pragma once
// Lane loops. Slots are 4 bytes a lane for types up to 32 bits, else 8. Every loop reads all its sources of a
// lane before it writes, so a destination may be a source.
#include <cmath>

#include "simt/ops/ops.hpp"
#include "simt/simd.hpp"

namespace dojo::simt {

// This room is built without strict aliasing: slots are reinterpreted freely.
using u32a = uint32_t;
using u64a = uint64_t;
using f32a = float;
using f64a = double;

template <class T>
struct SlotType {
  using type = std::conditional_t<sizeof(T) == 8, u64a, u32a>;
};
template <>
struct SlotType<float> {
  using type = f32a;
};
template <>
struct SlotType<double> {
  using type = f64a;
};
template <class T>
using Slot = typename SlotType<T>::type;

template <class T>
inline T get(Slot<T> v) {
  if constexpr (std::is_floating_point_v<T>)
    return v;
  else
    return T(v);
}
template <class T>
inline Slot<T> put(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v;
  else if constexpr (sizeof(T) == 8)
    return uint64_t(v);
  else
    return uint32_t(std::make_unsigned_t<T>(v));
}

enum class Mode { full, partial, single };

/// Goes on with the next instruction. Where the compiler makes such a call a jump, handlers of straight-line
/// code follow each other without coming back to the loop in run_warp; elsewhere they return.
inline const Inst* go_on(const Inst* p, Exec& x) {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  ++p;
  return p->fn[x.partial](p, x);
#else
  (void)x;
  return p + 1;
#endif
}

/// d = f(a): Op has types D, A and `static D f(A)`.
template <class Op, Mode M>
const Inst* run1(const Inst* p, Exec& x) {
  using D = typename Op::D;
  using A = typename Op::A;
  auto* d = x.slot<Slot<D>>(p->d);
  auto* a = x.slot<Slot<A>>(p->a);
  if constexpr (M == Mode::single) {
    d[0] = put<D>(Op::f(get<A>(a[0])));
  } else if constexpr (M == Mode::full) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) d[i] = put<D>(Op::f(get<A>(a[i])));
  } else {
    const int32_t* l = x.lanes;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      Slot<D> r = put<D>(Op::f(get<A>(a[i])));
      d[i] = l[i] ? r : d[i];
    }
  }
  if constexpr (M != Mode::single) return go_on(p, x);
  return p + 1;
}
template <class Op, Mode M>
const Inst* run2(const Inst* p, Exec& x) {
  using D = typename Op::D;
  using A = typename Op::A;
  using B = typename Op::B;
  auto* d = x.slot<Slot<D>>(p->d);
  auto* a = x.slot<Slot<A>>(p->a);
  auto* b = x.slot<Slot<B>>(p->b);
  if constexpr (M == Mode::single) {
    d[0] = put<D>(Op::f(get<A>(a[0]), get<B>(b[0])));
  } else if constexpr (M == Mode::full) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) d[i] = put<D>(Op::f(get<A>(a[i]), get<B>(b[i])));
  } else {
    const int32_t* l = x.lanes;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      Slot<D> r = put<D>(Op::f(get<A>(a[i]), get<B>(b[i])));
      d[i] = l[i] ? r : d[i];
    }
  }
  if constexpr (M != Mode::single) return go_on(p, x);
  return p + 1;
}
template <class Op, Mode M>
const Inst* run3(const Inst* p, Exec& x) {
  using D = typename Op::D;
  using A = typename Op::A;
  using B = typename Op::B;
  using C = typename Op::C;
  auto* d = x.slot<Slot<D>>(p->d);
  auto* a = x.slot<Slot<A>>(p->a);
  auto* b = x.slot<Slot<B>>(p->b);
  auto* c = x.slot<Slot<C>>(p->c);
  if constexpr (M == Mode::single) {
    d[0] = put<D>(Op::f(get<A>(a[0]), get<B>(b[0]), get<C>(c[0])));
  } else if constexpr (M == Mode::full) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) d[i] = put<D>(Op::f(get<A>(a[i]), get<B>(b[i]), get<C>(c[i])));
  } else {
    const int32_t* l = x.lanes;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      Slot<D> r = put<D>(Op::f(get<A>(a[i]), get<B>(b[i]), get<C>(c[i])));
      d[i] = l[i] ? r : d[i];
    }
  }
  if constexpr (M != Mode::single) return go_on(p, x);
  return p + 1;
}
template <class Op>
constexpr Handlers unary{run1<Op, Mode::full>, run1<Op, Mode::partial>, run1<Op, Mode::single>};
template <class Op>
constexpr Handlers binary{run2<Op, Mode::full>, run2<Op, Mode::partial>, run2<Op, Mode::single>};
template <class Op>
constexpr Handlers ternary{run3<Op, Mode::full>, run3<Op, Mode::partial>, run3<Op, Mode::single>};

/// Active lanes one at a time: for operations that don't vectorise. F(p, x, lane).
template <void (*F)(const Inst*, Exec&, uint32_t)>
const Inst* each_lane(const Inst* p, Exec& x) {
  for (uint32_t m = x.mask; m; m &= m - 1) F(p, x, uint32_t(std::countr_zero(m)));
  return go_on(p, x);
}
template <void (*F)(const Inst*, Exec&, uint32_t)>
const Inst* one_lane(const Inst* p, Exec& x) {
  F(p, x, 0);
  return p + 1;
}
template <void (*F)(const Inst*, Exec&, uint32_t)>
constexpr Handlers per_lane{each_lane<F>, each_lane<F>, one_lane<F>};

/// Comparison to a mask of lanes. Op: types A, B and `static bool f(A, B)`.
template <class Op>
inline uint32_t compare_lanes(Exec& x, const Inst* p) {
  using A = typename Op::A;
  auto* a = x.slot<Slot<A>>(p->a);
  auto* b = x.slot<Slot<A>>(p->b);
  alignas(32) int32_t m[32];
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) m[i] = -int32_t(Op::f(get<A>(a[i]), get<A>(b[i])));
  return simd::bits32(m);
}

}  // namespace dojo::simt
