// The C library's names that every CUDA source has without an include of its own. Calls are answered by the host
// interpreter; mathematics is the compiler's own.
#pragma once
#ifdef __CUDACC_RTC__

#define DOJO_C extern "C" __device__

DOJO_C size_t strlen(const char*);
DOJO_C int strcmp(const char*, const char*);
DOJO_C int strncmp(const char*, const char*, size_t);
DOJO_C int strcasecmp(const char*, const char*);
DOJO_C int strncasecmp(const char*, const char*, size_t);
DOJO_C char* strcpy(char*, const char*);
DOJO_C char* strncpy(char*, const char*, size_t);
DOJO_C char* strcat(char*, const char*);
DOJO_C char* strncat(char*, const char*, size_t);
DOJO_C char* strdup(const char*);
DOJO_C char* strtok(char*, const char*);
DOJO_C char* __dojo_strchr(const char*, int);
DOJO_C char* __dojo_strrchr(const char*, int);
DOJO_C char* __dojo_strstr(const char*, const char*);
DOJO_C void* __dojo_memchr(const void*, int, size_t);
DOJO_C void* memmove(void*, const void*, size_t);
// What memcpy() and memset() in host code become: one call each, where the compiler would write loops over bytes.
DOJO_C void* _dmcpy(void*, const void*, size_t);
DOJO_C void* _dmset(void*, int, size_t);
// `count` elements of `bytes` each, all of them a copy of *value.
DOJO_C void __dojo_fill(void* to, const void* value, size_t bytes, size_t count);
DOJO_C int memcmp(const void*, const void*, size_t);
DOJO_C char* strerror(int);
static inline char* strchr(const char* s, int c) { return __dojo_strchr(s, c); }
static inline char* strrchr(const char* s, int c) { return __dojo_strrchr(s, c); }
static inline char* strstr(const char* s, const char* t) { return __dojo_strstr(s, t); }
static inline void* memchr(const void* s, int c, size_t n) { return __dojo_memchr(s, c, n); }

DOJO_C void* calloc(size_t, size_t);
DOJO_C void* realloc(void*, size_t);
DOJO_C void* aligned_alloc(size_t, size_t);
DOJO_C int posix_memalign(void**, size_t, size_t);
DOJO_C void exit(int) __attribute__((noreturn));
DOJO_C void _Exit(int) __attribute__((noreturn));
DOJO_C void abort() __attribute__((noreturn));
DOJO_C int atexit(void (*)());
DOJO_C int atoi(const char*);
DOJO_C long atol(const char*);
DOJO_C long long atoll(const char*);
DOJO_C double atof(const char*);
DOJO_C long strtol(const char*, char**, int);
DOJO_C long long strtoll(const char*, char**, int);
DOJO_C unsigned long strtoul(const char*, char**, int);
DOJO_C unsigned long long strtoull(const char*, char**, int);
DOJO_C double strtod(const char*, char**);
DOJO_C float strtof(const char*, char**);
DOJO_C int rand();
DOJO_C void srand(unsigned);
DOJO_C int rand_r(unsigned*);
DOJO_C double drand48();
DOJO_C void srand48(long);
DOJO_C long lrand48();
DOJO_C long random();
DOJO_C void srandom(unsigned);
DOJO_C char* getenv(const char*);
DOJO_C void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
DOJO_C clock_t _dclk();  // what clock() in host code becomes; in kernels clock() counts cycles
DOJO_C void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
#include "dojo_throw.hpp"
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

#include "cctype"
#include "ctime"  // nvcc's own headers include it: srand(time(NULL))
#include "limits"

namespace std {
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
using ::abort, ::abs, ::atof, ::atoi, ::atol, ::calloc, ::exit, ::free, ::getenv, ::malloc, ::qsort, ::rand, ::realloc,
    ::srand, ::strtod, ::strtol, ::strtoul, ::strtof, ::strtoll, ::strtoull, ::labs, ::llabs;
using ::_dmcpy, ::_dmset, ::memchr, ::memcmp, ::memcpy, ::memmove, ::memset, ::strcat, ::strchr, ::strcmp, ::strcpy,
    ::strlen, ::strncmp, ::strncpy, ::strrchr, ::strstr, ::strtok, ::strerror;
using ::acos, ::asin, ::atan, ::atan2, ::cbrt, ::ceil, ::cos, ::cosh, ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::fabs,
    ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::frexp, ::hypot, ::isfinite, ::isinf, ::isnan, ::ldexp, ::lgamma, ::log,
    ::log10, ::log1p, ::log2, ::lround, ::modf, ::nearbyint, ::pow, ::rint, ::round, ::signbit, ::sin, ::sinh, ::sqrt,
    ::tan, ::tanh, ::tgamma, ::trunc, ::copysign;
}  // namespace std

#endif
