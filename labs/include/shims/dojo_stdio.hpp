// <cstdio> as far as teaching programs use it. Formatted output goes through the printf that the compiler knows
// (vprintf with its packed arguments); the other functions are calls of the host interpreter.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN

#include "cstdarg"
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
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 8192
// Files live in memory, or in the folder of `play --files`.
DOJO_C FILE* fopen(const char* name, const char* mode);
DOJO_C int fclose(FILE*);
DOJO_C size_t fread(void*, size_t, size_t, FILE*);
DOJO_C size_t fwrite(const void*, size_t, size_t, FILE*);
DOJO_C char* fgets(char*, int, FILE*);
DOJO_C int fgetc(FILE*);
DOJO_C int ungetc(int, FILE*);
DOJO_C int feof(FILE*);
DOJO_C int ferror(FILE*);
DOJO_C int fseek(FILE*, long, int);
DOJO_C long ftell(FILE*);
DOJO_C int remove(const char* name);
DOJO_C int __dojo_scan(FILE*, const char* text, const char* format, void** to, size_t count);
static inline int getc(FILE* f) { return fgetc(f); }
static inline void rewind(FILE* f) { fseek(f, 0, SEEK_SET); }
template <class... _A> static inline int fscanf(FILE* f, const char* format, _A*... a) {
  void* to[sizeof...(_A) + 1] = {(void*)a..., (void*)0};
  return __dojo_scan(f, "", format, to, sizeof...(_A));
}
template <class... _A> static inline int sscanf(const char* text, const char* format, _A*... a) {
  void* to[sizeof...(_A) + 1] = {(void*)a..., (void*)0};
  return __dojo_scan(0, text, format, to, sizeof...(_A));
}
template <class... _A> static inline int scanf(const char* format, _A*... a) { return fscanf(stdin, format, a...); }
DOJO_C void __dojo_print_to(FILE*);
DOJO_C int __dojo_print_into(char*, size_t);

// The arguments are packed by printf itself; the call before it says where the text goes.
template <class... _A> static inline int fprintf(FILE* f, const char* format, _A... a) {
  __dojo_print_to(f);
  return printf(format, a...);
}
template <class... _A> static inline int snprintf(char* s, size_t n, const char* format, _A... a) {
  __dojo_print_into(s, n);
  return printf(format, a...);
}
template <class... _A> static inline int sprintf(char* s, const char* format, _A... a) {
  __dojo_print_into(s, ~size_t(0));
  return printf(format, a...);
}
// A va_list points to arguments that are packed alike.
DOJO_C int vprintf(const char* format, va_list);
static inline int vfprintf(FILE* f, const char* format, va_list list) {
  __dojo_print_to(f);
  return vprintf(format, list);
}
static inline int vsnprintf(char* s, size_t n, const char* format, va_list list) {
  __dojo_print_into(s, n);
  return vprintf(format, list);
}
static inline int vsprintf(char* s, const char* format, va_list list) {
  __dojo_print_into(s, ~size_t(0));
  return vprintf(format, list);
}
static inline int putc(int c, FILE* f) { return fputc(c, f); }

namespace std {
using ::FILE, ::fclose, ::feof, ::ferror, ::fgetc, ::fputc, ::rewind, ::ungetc, ::fgets, ::fopen, ::fread, ::fscanf, ::fseek, ::ftell, ::fwrite, ::sscanf, ::remove, ::fflush, ::fprintf, ::fputs, ::printf, ::putchar, ::puts, ::snprintf, ::sprintf, ::perror, ::vprintf, ::vfprintf, ::vsnprintf, ::vsprintf;
}

DOJO_SHIM_END
#endif
