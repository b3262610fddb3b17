// Integer quotients and remainders. A divisor of zero gives all ones (measured on an H100; PTX leaves it
// open); the most negative number by -1 wraps. Device code goes on after a warning; host code would end by a
// signal.
#include <fmt/format.h>

#include <bit>
#include <limits>
#include <string>

#include "simt/ops/arithmetic/integer_ops.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/stopped.hpp"

namespace dojo::simt {

namespace {

using namespace integer;

DOJO_BINARY(Div, b == 0 ? T(-1) : (std::is_signed_v<T> && b == T(-1)) ? T(U<T>(0) - U<T>(a)) : T(a / b))
DOJO_BINARY(Rem, b == 0 ? T(-1) : (std::is_signed_v<T> && b == T(-1)) ? T(0) : T(a % b))

// 32-bit division through doubles: exact, and vectorises.
template <>
struct Div<int32_t> {
  using D = int32_t;
  using A = int32_t;
  using B = int32_t;
  static int32_t f(int32_t a, int32_t b) {
    if (b == 0) return -1;
    return int32_t(int64_t(double(a) / double(b)));
  }
};

[[gnu::cold]] void warn_of_zero(const Inst* p, Exec& x, uint32_t lanes) {
  if (!x.checks) return;
  const int lane = std::countr_zero(lanes);
  Diagnostic d =
      finding(x, p, FindingKind::division_by_zero,
              fmt::format("{} divides an integer by zero. The result is undefined. Test the divisor first.",
                          subject(x, uint32_t(lane))),
              lane);
  d.severity = Severity::warning;
  emit(x, std::move(d));
}

/// As run2, and warns of lanes whose divisor is zero.
template <class Op, Mode M>
const Inst* divide(const Inst* p, Exec& x) {
  using T = typename Op::B;
  const auto* divisor = x.slot<Slot<T>>(p->b);
  if constexpr (M == Mode::single) {
    if (get<T>(divisor[0]) == 0)
      throw RunStopped(Status::finding,
                       finding(x, p, FindingKind::division_by_zero,
                               "Host code divides an integer by zero. Test the divisor first.", -1));
    // Smaller types are divided as int. On x86 this ends a program as a division by zero does.
    if constexpr (std::is_signed_v<T> && sizeof(T) >= sizeof(int32_t)) {
      const T dividend = get<T>(x.slot<Slot<T>>(p->a)[0]);
      if (get<T>(divisor[0]) == T(-1) && dividend == std::numeric_limits<T>::min())
        throw RunStopped(
            Status::finding,
            finding(
                x, p, FindingKind::host_error,
                fmt::format("Host code divides {} by -1. The quotient {} does not fit its type of {} bits: "
                            "the result is undefined. Test for this case first, or use a wider type.",
                            dividend, std::to_string(dividend).substr(1), sizeof(T) * 8),
                -1));
    }
  } else {
    uint32_t zero = 0;
    for (int i = 0; i < 32; ++i) zero |= uint32_t(get<T>(divisor[i]) == 0) << i;
    if (zero &= x.mask) [[unlikely]]
      warn_of_zero(p, x, zero);
  }
  return run2<Op, M>(p, x);
}

template <class Op>
constexpr Handlers division{divide<Op, Mode::full>, divide<Op, Mode::partial>, divide<Op, Mode::single>};

template <template <class> class Op>
void decode(Decoder& d) {
  const Handlers handlers = by_type(d, d.type(), [](auto v) { return division<Op<decltype(v)>>; });
  emit2(d, handlers, d.type());
}

constexpr Family kDivisionFamilies[] = {{"div", c_int, decode<Div>}, {"rem", c_int, decode<Rem>}};

}  // namespace

std::span<const Family> division_families() { return kDivisionFamilies; }

}  // namespace dojo::simt
