#pragma once
// <cstdint>, <cstddef>, <climits>, <cfloat>, <limits>.
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef signed long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ssize_t;
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
typedef int8_t int_fast8_t;
typedef int16_t int_fast16_t;
typedef int32_t int_fast32_t;
typedef int64_t int_fast64_t;
typedef uint8_t uint_fast8_t;
typedef uint16_t uint_fast16_t;
typedef uint32_t uint_fast32_t;
typedef uint64_t uint_fast64_t;

#undef INT8_MIN
#define INT8_MIN (-128)
#undef INT8_MAX
#define INT8_MAX 127
#undef UINT8_MAX
#define UINT8_MAX 255
#undef INT16_MIN
#define INT16_MIN (-32768)
#undef INT16_MAX
#define INT16_MAX 32767
#undef UINT16_MAX
#define UINT16_MAX 65535
#undef INT32_MIN
#define INT32_MIN (-2147483647 - 1)
#undef INT32_MAX
#define INT32_MAX 2147483647
#undef UINT32_MAX
#define UINT32_MAX 4294967295u
#undef INT64_MIN
#define INT64_MIN (-9223372036854775807l - 1)
#undef INT64_MAX
#define INT64_MAX 9223372036854775807l
#undef UINT64_MAX
#define UINT64_MAX 18446744073709551615ul
#undef SIZE_MAX
#define SIZE_MAX 18446744073709551615ul

#undef CHAR_BIT
#define CHAR_BIT 8
#undef SCHAR_MIN
#define SCHAR_MIN (-128)
#undef SCHAR_MAX
#define SCHAR_MAX 127
#undef UCHAR_MAX
#define UCHAR_MAX 255
#undef CHAR_MIN
#define CHAR_MIN (-128)
#undef CHAR_MAX
#define CHAR_MAX 127
#undef SHRT_MIN
#define SHRT_MIN (-32768)
#undef SHRT_MAX
#define SHRT_MAX 32767
#undef USHRT_MAX
#define USHRT_MAX 65535
#undef INT_MIN
#define INT_MIN (-2147483647 - 1)
#undef INT_MAX
#define INT_MAX 2147483647
#undef UINT_MAX
#define UINT_MAX 4294967295u
#undef LONG_MIN
#define LONG_MIN (-9223372036854775807l - 1)
#undef LONG_MAX
#define LONG_MAX 9223372036854775807l
#undef ULONG_MAX
#define ULONG_MAX 18446744073709551615ul
#undef LLONG_MIN
#define LLONG_MIN (-9223372036854775807ll - 1)
#undef LLONG_MAX
#define LLONG_MAX 9223372036854775807ll
#undef ULLONG_MAX
#define ULLONG_MAX 18446744073709551615ull

#define FLT_RADIX 2
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_EPSILON 1.1920928955078125e-7f
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_EPSILON 2.22044604925031308085e-16
#define FLT_MAX_EXP 128
#define DBL_MAX_EXP 1024

namespace std {
using ::int16_t, ::int32_t, ::int64_t, ::int8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::uint8_t, ::intptr_t,
    ::uintptr_t, ::intmax_t, ::uintmax_t;
}
#endif
