// The functions of dojo_math_double.hpp that kernels call.
#pragma once

DOJO_MATH1(exp) { return __dojo_exp(x, 0.0); }
DOJO_MATH1(exp2) {
  if (!(fabs(x) < 1100.0)) return x != x ? x : x > 0 ? __builtin_huge_val() : 0.0;
  const double k = rint(x), f = x - k;
  const double r = f * 0.69314718055994531, lo = fma(f, 0.69314718055994531, -r) + f * 0x1.abc9e3b39803fp-56;
  return __dojo_scale(1.0 + (r + (__dojo_exp_tail(r) + lo)), int(k));
}
DOJO_MATH1(exp10) {
  if (!(fabs(x) < 400.0)) return x != x ? x : x > 0 ? __builtin_huge_val() : 0.0;
  const double k = rint(x * 3.3219280948873623);
  const double f = fma(-k, 0x1.cff7988f8959bp-41, fma(-k, 0x1.34413509f4000p-2, x));
  const double r = f * 0x1.26bb1bbb55516p+1, lo = fma(f, 0x1.26bb1bbb55516p+1, -r) + f * -0x1.f48ad494ea3e9p-53;
  return __dojo_scale(1.0 + (r + (__dojo_exp_tail(r) + lo)), int(k));
}
DOJO_MATH1(expm1) {
  if (!(x < 700.0)) return __dojo_exp(x, 0.0);
  if (x < -40.0) return -1.0;
  const double k = rint(x * 1.4426950408889634);
  const double hi = fma(-k, 0x1.62e42fefa2000p-1, x), lo = k * -0x1.9ef35793c7673p-41, r = hi + lo;
  const double p = r + ((lo - (r - hi)) + __dojo_exp_tail(r)), two_k = __dojo_scale(1.0, int(k));
  return k == 0 ? p : fma(two_k, p, two_k - 1.0);
}
DOJO_MATH1(log) {
  double special;
  if (__dojo_log_special(x, &special)) return special;
  int e;
  const __dojo_dd m = __dojo_log_mantissa(__dojo_mantissa(x, &e));
  const __dojo_dd s = __dojo_two_sum(e * 0x1.62e42fefa2000p-1, m.hi);
  return s.hi + (s.lo + m.lo + e * 0x1.9ef35793c7673p-41);
}
DOJO_MATH1(log2) {
  double special;
  if (__dojo_log_special(x, &special)) return special;
  int e;
  const __dojo_dd m = __dojo_log_mantissa(__dojo_mantissa(x, &e));
  const double a = m.hi * 0x1.71547652b82fep+0;
  const double lo = fma(m.hi, 0x1.71547652b82fep+0, -a) + (m.lo * 0x1.71547652b82fep+0 + m.hi * 0x1.777d0ffda0d24p-56);
  const __dojo_dd s = __dojo_two_sum(double(e), a);
  return s.hi + (s.lo + lo);
}
DOJO_MATH1(log10) {
  double special;
  if (__dojo_log_special(x, &special)) return special;
  int e;
  const __dojo_dd m = __dojo_log_mantissa(__dojo_mantissa(x, &e));
  const double a = m.hi * 0x1.bcb7b1526e50ep-2;
  const double lo = fma(m.hi, 0x1.bcb7b1526e50ep-2, -a) + (m.lo * 0x1.bcb7b1526e50ep-2 + m.hi * 0x1.95355baaafad3p-57);
  const __dojo_dd s = __dojo_two_sum(e * 0x1.34413509f4000p-2, a);
  return s.hi + (s.lo + lo + e * 0x1.cff7988f8959bp-41);
}
DOJO_MATH1(log1p) {
  if (!(x < 0x1p53)) return log(x);
  const double u = 1.0 + x;
  return x <= -1.0 ? log(u) : log(u) + (x - (u - 1.0)) / u;
}
DOJO_MATH1(sin) {
  if (!(fabs(x) < __builtin_huge_val())) return __builtin_nan("");
  int q;
  const __dojo_dd r = __dojo_reduce(x, &q);
  return x == 0 ? x : __dojo_sin_quadrant(r, q);
}
DOJO_MATH1(cos) {
  if (!(fabs(x) < __builtin_huge_val())) return __builtin_nan("");
  int q;
  const __dojo_dd r = __dojo_reduce(x, &q);
  return __dojo_sin_quadrant(r, q + 1);
}
DOJO_DEVICE void sincos(double x, double* s, double* c) {
  *s = sin(x);
  *c = cos(x);
}
DOJO_MATH1(tan) {
  if (!(fabs(x) < __builtin_huge_val())) return __builtin_nan("");
  int q;
  const __dojo_dd r = __dojo_reduce(x, &q);
  const double s = __dojo_sin_part(r.hi, r.lo), c = __dojo_cos_part(r.hi, r.lo);
  return x == 0 ? x : q & 1 ? -c / s : s / c;
}
DOJO_MATH1(atan) { return x != x ? x : __builtin_copysign(__dojo_atan(fabs(x)), x); }
DOJO_MATH2(atan2) {
  if (x != x || y != y) return x + y;
  const double a = fabs(x), b = fabs(y);  // of the point (y, x)
  double r = a == 0 ? 0.0 : a == b ? 0x1.921fb54442d18p-1 : __dojo_atan(a / b);
  if (DOJO_BITS(y) >> 63) r = 0x1.921fb54442d18p+1 - (r - 0x1.1a62633145c07p-53);
  return __builtin_copysign(r, x);
}
/// x + x^3 P(x^2) up to 1/2; beyond, pi/2 - 2 asin(sqrt((1 - x) / 2)).
DOJO_DEVICE double __dojo_asin_tail(double z) {
  return z * __dojo_horner(z, 1.0 / 6, 0.0750000000000011775, 0.0446428571425518929, 0.03038194447553234,
                           0.0223721574435072224, 0.017352816540325495, 0.0139637800122035696, 0.0115664596121216686,
                           0.00962184297010028102, 0.0093195607947674463, 0.0030448799094556774, 0.0195545133361233789,
                           -0.0192416717467430407, 0.0296120112649551204);
}
/// acos(x) for 1/2 <= x <= 1, over 2: the root's own rest counts.
DOJO_DEVICE __dojo_dd __dojo_half_acos(double x) {
  const double z = 0.5 * (1.0 - x), s = sqrt(z), s_lo = s > 0 ? fma(-s, s, z) / (2.0 * s) : 0.0;
  return {s, fma(s, __dojo_asin_tail(z), s_lo)};
}
DOJO_MATH1(asin) {
  const double a = fabs(x);
  if (!(a <= 1.0)) return __builtin_nan("");
  if (a <= 0.5) return fma(x, __dojo_asin_tail(x * x), x);
  const __dojo_dd h = __dojo_half_acos(a), s = __dojo_two_sum(0x1.921fb54442d18p+0, -2.0 * h.hi);
  return __builtin_copysign(s.hi + (s.lo - 2.0 * h.lo + 0x1.1a62633145c07p-54), x);
}
DOJO_MATH1(acos) {
  const double a = fabs(x);
  if (!(a <= 1.0)) return __builtin_nan("");
  if (a <= 0.5) {
    const double tail = x * __dojo_asin_tail(x * x);
    const __dojo_dd s = __dojo_two_sum(0x1.921fb54442d18p+0, -x);
    return s.hi + (s.lo - tail + 0x1.1a62633145c07p-54);
  }
  const __dojo_dd h = __dojo_half_acos(a);
  if (x > 0) return 2.0 * (h.hi + h.lo);
  const __dojo_dd s = __dojo_two_sum(0x1.921fb54442d18p+1, -2.0 * h.hi);
  return s.hi + (s.lo - 2.0 * h.lo + 0x1.1a62633145c07p-53);
}
DOJO_MATH1(sinh) {
  const double a = fabs(x), z = x * x;
  if (a < 1.0)
    return fma(x * z, __dojo_horner(z, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800,
                                    1.0 / 6227020800.0, 1.0 / 1307674368000.0, 1.0 / 355687428096000.0), x);
  if (a > 709.0) {
    const double h = __dojo_exp(0.5 * a, 0.0);
    return __builtin_copysign(0.5 * h * h, x);
  }
  const double e = __dojo_exp(a, 0.0);
  return __builtin_copysign(0.5 * e - 0.5 / e, x);
}
DOJO_MATH1(cosh) {
  const double a = fabs(x);
  if (a > 709.0) {
    const double h = __dojo_exp(0.5 * a, 0.0);
    return 0.5 * h * h;
  }
  const double e = __dojo_exp(a, 0.0);
  return 0.5 * e + 0.5 / e;
}
DOJO_MATH1(tanh) {
  const double a = fabs(x);
  if (a > 22.0) return __builtin_copysign(1.0, x);
  const double t = expm1(2.0 * a), r = a < 0.55 ? t / (t + 2.0) : 1.0 - 2.0 / (t + 2.0);
  return __builtin_copysign(r, x);
}
DOJO_MATH1(cbrt) {
  const double a = fabs(x);
  if (a == 0 || !(a < __builtin_huge_val())) return x + x;
  int e, scale = 0;
  const double m = __dojo_mantissa(a, &e);
  while (e % 3 != 0) --e, ++scale;
  const double v = scale == 0 ? m : scale == 1 ? 2.0 * m : 4.0 * m;
  double t = 0.63 + 0.4 * v - 0.035 * v * v;  // two digits are right from 0.7 to 5.7
  for (int i = 0; i < 3; ++i) t -= (t * t * t - v) / (3.0 * t * t);
  const double s = t * t, s_lo = fma(t, t, -s), c = fma(s, t, -v) + s_lo * t;
  return __builtin_copysign(__dojo_scale(t - c / (3.0 * s), e / 3), x);
}
DOJO_MATH2(hypot) {
  double a = fabs(x), b = fabs(y);
  if (a == __builtin_huge_val() || b == __builtin_huge_val()) return __builtin_huge_val();
  if (x != x || y != y) return x + y;
  if (a < b) {
    const double t = a;
    a = b, b = t;
  }
  const double k = a > 0x1p500 ? 0x1p-600 : a < 0x1p-500 ? 0x1p600 : 1.0;
  a *= k, b *= k;
  const double s = a * a, t = b * b, n = sqrt(s + t);
  if (n == 0) return n;
  const __dojo_dd sum = __dojo_two_sum(s, t);
  const double rest = fma(a, a, -s) + fma(b, b, -t) + sum.lo + fma(-n, n, sum.hi);
  return (n + rest / (2.0 * n)) / k;
}
/// |x| - n |y| >= 0 by quotients that are exact; `odd`: whether n is.
DOJO_DEVICE double __dojo_fmod(double a, double b, bool* odd) {
  while (a >= b) {
    int of_a, of_b;
    __dojo_mantissa(a, &of_a), __dojo_mantissa(b, &of_b);
    const double c = of_a - of_b > 50 ? __dojo_scale(b, of_a - of_b - 50) : b;
    double q = trunc(a / c), r = fma(-q, c, a);
    if (r < 0) r += c, q -= 1.0;
    if (r >= c) r -= c, q += 1.0;
    *odd = c == b && (q * 0.5 != trunc(q * 0.5));
    a = r;
  }
  return a;
}
DOJO_MATH2(fmod) {
  const double a = fabs(x), b = fabs(y);
  if (!(a < __builtin_huge_val()) || !(b > 0)) return __builtin_nan("");
  bool odd = false;
  return b == __builtin_huge_val() ? x : __builtin_copysign(__dojo_fmod(a, b, &odd), x);
}
DOJO_MATH2(remainder) {
  const double a = fabs(x), b = fabs(y);
  if (!(a < __builtin_huge_val()) || !(b > 0)) return __builtin_nan("");
  if (b == __builtin_huge_val()) return x;
  bool odd = false;
  double r = __dojo_fmod(a, b, &odd);
  if (r > b - r || (r == b - r && odd)) r -= b;
  return DOJO_BITS(x) >> 63 ? -r : r;
}
DOJO_MATH2(pow) {
  if (y == 0 || x == 1.0) return 1.0;
  if (x != x || y != y) return x + y;
  const double a = fabs(x), inf = __builtin_huge_val();
  const bool whole = trunc(y) == y, odd = whole && fabs(y) < 0x1p53 && trunc(y * 0.5) != y * 0.5;
  const double sign = odd && (DOJO_BITS(x) >> 63) ? -1.0 : 1.0;
  if (fabs(y) == inf) return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0) ? inf : 0.0;
  if (a == 0 || a == inf) return (a == 0) == (y > 0) ? sign * 0.0 : sign * inf;
  if (x < 0 && !whole) return __builtin_nan("");
  const __dojo_dd l = __dojo_log_exact(a);
  const double p = y * l.hi;
  if (fabs(p) > 800.0) return p > 0 ? sign * inf : sign * 0.0;
  return sign * __dojo_exp(p, fma(y, l.hi, -p) + y * l.lo);
}
DOJO_MATH1(erf) {
  const double a = fabs(x);
  return a < 1.0 ? __dojo_erf_small(x) : x != x ? x : __builtin_copysign(1.0 - __dojo_erfc(a), x);
}
DOJO_MATH1(erfc) {
  const double a = fabs(x);
  if (x != x) return x;
  if (a < 0.4) return 1.0 - __dojo_erf_small(x);
  return x > 0 ? __dojo_erfc(a) : 2.0 - __dojo_erfc(a);
}
