// <cstdio> as far as teaching programs use it. Formatted output goes through the printf that the compiler knows
// (vprintf with its packed arguments); the other functions are calls of the host interpreter.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN

struct __dojo_file;
typedef struct __dojo_file FILE;
#define EOF (-1)
#define stdin (reinterpret_cast<FILE*>(1))
#define stdout (reinterpret_cast<FILE*>(2))
#define stderr (reinterpret_cast<FILE*>(3))

DOJO_C int puts(const char*);
DOJO_C int putchar(int);
DOJO_C int fputs(const char*, FILE*);
DOJO_C int fputc(int, FILE*);
DOJO_C int fflush(FILE*);
DOJO_C void perror(const char*);
DOJO_C int getchar();
DOJO_C void __dojo_print_to(FILE*);
DOJO_C int __dojo_print_into(char*, size_t);

// The arguments are packed by printf itself; the call before it says where the text goes.
template <class... A> static inline int fprintf(FILE* f, const char* format, A... a) {
  __dojo_print_to(f);
  return printf(format, a...);
}
template <class... A> static inline int snprintf(char* s, size_t n, const char* format, A... a) {
  __dojo_print_into(s, n);
  return printf(format, a...);
}
template <class... A> static inline int sprintf(char* s, const char* format, A... a) {
  __dojo_print_into(s, ~size_t(0));
  return printf(format, a...);
}
static inline int putc(int c, FILE* f) { return fputc(c, f); }

namespace std {
using ::FILE, ::fflush, ::fprintf, ::fputs, ::printf, ::putchar, ::puts, ::snprintf, ::sprintf, ::perror;
}

DOJO_SHIM_END
#endif
