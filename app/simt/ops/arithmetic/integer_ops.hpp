#pragma once
// What the integer families share: templates of lane operations and the choice of one by type.
#include "simt/ops/lanes.hpp"

namespace dojo::simt::integer {

using ptx::Type;

template <class T>
using U = std::make_unsigned_t<T>;
template <class T>
constexpr int width_of = int(sizeof(T) * 8);

#define DOJO_BINARY(NAME, EXPR)              \
  template <class T>                         \
  struct NAME {                              \
    using D = T;                             \
    using A = T;                             \
    using B = T;                             \
    static T f(T a, T b) { return T(EXPR); } \
  };
#define DOJO_UNARY(NAME, EXPR)          \
  template <class T>                    \
  struct NAME {                         \
    using D = T;                        \
    using A = T;                        \
    static T f(T a) { return T(EXPR); } \
  };

/// handlers(T()) for the integer type T.
template <class F>
Handlers by_type(Decoder& d, Type t, F handlers) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return handlers(uint16_t());
    case Type::s16:
      return handlers(int16_t());
    case Type::u32:
    case Type::b32:
      return handlers(uint32_t());
    case Type::s32:
      return handlers(int32_t());
    case Type::u64:
    case Type::b64:
      return handlers(uint64_t());
    case Type::s64:
      return handlers(int64_t());
    default:
      d.refuse("a type that this operation doesn't take");
  }
}
template <template <class> class Op>
Handlers pick(Decoder& d, Type t) {
  return by_type(d, t, [](auto v) { return binary<Op<decltype(v)>>; });
}
template <template <class> class Op>
Handlers pick1(Decoder& d, Type t) {
  return by_type(d, t, [](auto v) { return unary<Op<decltype(v)>>; });
}
template <template <class> class Op>
Handlers pick3(Decoder& d, Type t) {
  switch (t) {
    case Type::u16:
      return ternary<Op<uint16_t>>;
    case Type::s16:
      return ternary<Op<int16_t>>;
    case Type::u32:
      return ternary<Op<uint32_t>>;
    case Type::s32:
      return ternary<Op<int32_t>>;
    case Type::u64:
      return ternary<Op<uint64_t>>;
    case Type::s64:
      return ternary<Op<int64_t>>;
    default:
      d.refuse("a type that this operation doesn't take");
  }
}
inline void emit2(Decoder& d, Handlers h, Type t) {
  uint32_t a = d.src(1, t), b = d.src(2, t);
  d.emit(h, d.dst(0, t), a, b);
}
template <template <class> class Op>
void two(Decoder& d) {
  emit2(d, pick<Op>(d, d.type()), d.type());
}
template <template <class> class Op>
void one(Decoder& d) {
  uint32_t a = d.src(1, d.type());
  d.emit(pick1<Op>(d, d.type()), d.dst(0, d.type()), a);
}

}  // namespace dojo::simt::integer
