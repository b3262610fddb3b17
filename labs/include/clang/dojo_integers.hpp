// Integer functions that have no intrinsic of clang's: averages, sums of differences, SIMD in a word, matches of a warp.
#pragma once

DOJO_DEVICE int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
DOJO_DEVICE int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
DOJO_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b) >> 1); }
DOJO_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b + 1) >> 1); }
DOJO_DEVICE unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)); }
DOJO_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
DOJO_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? lo : unsigned(((unsigned long long)hi << 32 | lo) << n >> 32);
}
DOJO_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? hi : unsigned(((unsigned long long)hi << 32 | lo) >> n);
}
DOJO_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
#define DOJO_DP2A(NAME, MODE)                                                                \
  DOJO_DEVICE int NAME(int a, int b, int c) {                                                \
    int r;                                                                                   \
    asm("dp2a." MODE ".s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));         \
    return r;                                                                                \
  }                                                                                          \
  DOJO_DEVICE unsigned NAME(unsigned a, unsigned b, unsigned c) {                            \
    unsigned r;                                                                              \
    asm("dp2a." MODE ".u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));         \
    return r;                                                                                \
  }
DOJO_DP2A(__dp2a_lo, "lo")
DOJO_DP2A(__dp2a_hi, "hi")
#undef DOJO_DP2A

// Four bytes or two halves of a word at once. a and b are one part of each operand.
#define DOJO_PARTS(NAME, BITS, T, RESULT)                                    \
  DOJO_DEVICE unsigned NAME(unsigned x, unsigned y) {                        \
    unsigned all = 0;                                                        \
    for (int s = 0; s < 32; s += BITS) {                                     \
      const int a = (T)(x >> s), b = (T)(y >> s);                            \
      all |= (unsigned(RESULT) & (0xffffffffu >> (32 - BITS))) << s;         \
    }                                                                        \
    return all;                                                              \
  }
#define DOJO_UNSIGNED(NAME, RESULT)                     \
  DOJO_PARTS(NAME##2, 16, unsigned short, RESULT)       \
  DOJO_PARTS(NAME##4, 8, unsigned char, RESULT)
#define DOJO_SIGNED(NAME, RESULT)                       \
  DOJO_PARTS(NAME##2, 16, short, RESULT)                \
  DOJO_PARTS(NAME##4, 8, signed char, RESULT)
DOJO_UNSIGNED(__vadd, a + b)
DOJO_UNSIGNED(__vsub, a - b)
DOJO_UNSIGNED(__vmaxu, a > b ? a : b)
DOJO_UNSIGNED(__vminu, a < b ? a : b)
DOJO_SIGNED(__vmaxs, a > b ? a : b)
DOJO_SIGNED(__vmins, a < b ? a : b)
DOJO_UNSIGNED(__vabsdiffu, a > b ? a - b : b - a)
DOJO_SIGNED(__vabsdiffs, a > b ? a - b : b - a)
DOJO_UNSIGNED(__vavgu, (a + b + 1) >> 1)
DOJO_UNSIGNED(__vhaddu, (a + b) >> 1)
DOJO_UNSIGNED(__vcmpeq, a == b ? -1 : 0)
DOJO_UNSIGNED(__vcmpne, a != b ? -1 : 0)
DOJO_UNSIGNED(__vcmpgtu, a > b ? -1 : 0)
DOJO_UNSIGNED(__vcmpgeu, a >= b ? -1 : 0)
DOJO_UNSIGNED(__vcmpltu, a < b ? -1 : 0)
DOJO_UNSIGNED(__vcmpleu, a <= b ? -1 : 0)
DOJO_SIGNED(__vcmpgts, a > b ? -1 : 0)
DOJO_SIGNED(__vcmpges, a >= b ? -1 : 0)
DOJO_SIGNED(__vcmplts, a < b ? -1 : 0)
DOJO_SIGNED(__vcmples, a <= b ? -1 : 0)
DOJO_UNSIGNED(__vseteq, a == b)
DOJO_UNSIGNED(__vsetgtu, a > b)
DOJO_UNSIGNED(__vsetltu, a < b)
DOJO_PARTS(__vaddus4, 8, unsigned char, a + b > 255 ? 255 : a + b)
DOJO_PARTS(__vsubus4, 8, unsigned char, a > b ? a - b : 0)
DOJO_PARTS(__vaddus2, 16, unsigned short, a + b > 65535 ? 65535 : a + b)
DOJO_PARTS(__vsubus2, 16, unsigned short, a > b ? a - b : 0)
DOJO_PARTS(__vaddss2, 16, short, a + b > 32767 ? 32767 : a + b < -32768 ? -32768 : a + b)
DOJO_PARTS(__vsubss2, 16, short, a - b > 32767 ? 32767 : a - b < -32768 ? -32768 : a - b)
DOJO_PARTS(__vaddss4, 8, signed char, a + b > 127 ? 127 : a + b < -128 ? -128 : a + b)
DOJO_PARTS(__vsubss4, 8, signed char, a - b > 127 ? 127 : a - b < -128 ? -128 : a - b)
DOJO_DEVICE unsigned __vneg2(unsigned v) { return __vsub2(0, v); }
DOJO_DEVICE unsigned __vneg4(unsigned v) { return __vsub4(0, v); }
DOJO_DEVICE unsigned __vabs2(unsigned v) { return __vabsdiffs2(v, 0); }
DOJO_DEVICE unsigned __vabs4(unsigned v) { return __vabsdiffs4(v, 0); }
DOJO_DEVICE unsigned __vsadu4(unsigned x, unsigned y) {
  const unsigned d = __vabsdiffu4(x, y);
  return (d & 255) + (d >> 8 & 255) + (d >> 16 & 255) + (d >> 24);
}
DOJO_DEVICE unsigned __vsadu2(unsigned x, unsigned y) {
  const unsigned d = __vabsdiffu2(x, y);
  return (d & 65535) + (d >> 16);
}
DOJO_DEVICE unsigned __vsads4(unsigned x, unsigned y) { return __vsadu4(x ^ 0x80808080u, y ^ 0x80808080u); }
DOJO_DEVICE unsigned __vsads2(unsigned x, unsigned y) { return __vsadu2(x ^ 0x80008000u, y ^ 0x80008000u); }
#undef DOJO_SIGNED
#undef DOJO_UNSIGNED
#undef DOJO_PARTS

// Lanes with equal values.
#define DOJO_MATCH(T, WORD, CONSTRAINT, TYPE)                                                                      \
  DOJO_DEVICE unsigned __match_all_sync(unsigned mask, T v, int* all) {                                            \
    unsigned lanes;                                                                                                \
    int same;                                                                                                      \
    asm volatile("{ .reg .pred p; match.all.sync." TYPE " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                   \
                 : "=r"(lanes), "=r"(same)                                                                         \
                 : CONSTRAINT(__builtin_bit_cast(WORD, v)), "r"(mask));                                            \
    *all = same;                                                                                                   \
    return lanes;                                                                                                  \
  }
#define DOJO_MATCH_ANY(T, WORD, CONSTRAINT, TYPE)                                              \
  DOJO_DEVICE unsigned __match_any_sync(unsigned mask, T v) {                                  \
    unsigned lanes;                                                                            \
    asm volatile("match.any.sync." TYPE " %0, %1, %2;"                                         \
                 : "=r"(lanes)                                                                 \
                 : CONSTRAINT(__builtin_bit_cast(WORD, v)), "r"(mask));                        \
    return lanes;                                                                              \
  }
DOJO_MATCH(int, int, "r", "b32")
DOJO_MATCH(unsigned, int, "r", "b32")
DOJO_MATCH(float, int, "r", "b32")
DOJO_MATCH(long, long long, "l", "b64")
DOJO_MATCH(unsigned long, long long, "l", "b64")
DOJO_MATCH(long long, long long, "l", "b64")
DOJO_MATCH(unsigned long long, long long, "l", "b64")
DOJO_MATCH(double, long long, "l", "b64")
DOJO_MATCH_ANY(float, int, "r", "b32")
DOJO_MATCH_ANY(long, long long, "l", "b64")
DOJO_MATCH_ANY(unsigned long, long long, "l", "b64")
DOJO_MATCH_ANY(long long, long long, "l", "b64")
DOJO_MATCH_ANY(unsigned long long, long long, "l", "b64")
DOJO_MATCH_ANY(double, long long, "l", "b64")
#undef DOJO_MATCH
#undef DOJO_MATCH_ANY
