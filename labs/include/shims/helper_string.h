// Arguments of the toolkit's samples: -name, --name, -name=value.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "dojo_stdio.hpp"
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(file) ((file) == 0)
#define SSCANF sscanf
#define SPRINTF sprintf

/// Index of the first character of `s` that is no `delimiter`.
static inline int stringRemoveDelimiter(char delimiter, const char* s) {
  int at = 0;
  while (s[at] == delimiter) ++at;
  return at;
}

/// The argument's text behind its name: at the zero or the '='; null: the program was not given it.
static inline const char* __dojo_argument(int argc, const char** argv, const char* name) {
  const size_t n = strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] != '-') continue;
    const char* s = argv[i] + stringRemoveDelimiter('-', argv[i]);
    if (strncasecmp(s, name, n) == 0 && (s[n] == 0 || s[n] == '=')) return s + n;
  }
  return 0;
}
static inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return __dojo_argument(argc, argv, name) != 0;
}
static inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* s = __dojo_argument(argc, argv, name);
  return s && *s == '=' ? atoi(s + 1) : 0;
}
static inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* s = __dojo_argument(argc, argv, name);
  return s && *s == '=' ? float(atof(s + 1)) : 0;
}
template <class _T> static inline bool getCmdLineArgumentValue(int argc, const char** argv, const char* name, _T* value) {
  const char* s = __dojo_argument(argc, argv, name);
  if (s && *s == '=') *value = _T(atoi(s + 1));
  return s != 0;
}
static inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* s = __dojo_argument(argc, argv, name);
  *value = s && *s == '=' ? const_cast<char*>(s + 1) : 0;
  return s != 0;
}
/// The samples look through many folders; here a file is in the program's own folder or in its data/.
static inline char* sdkFindFilePath(const char* name, const char*) {
  char* path = (char*)malloc(strlen(name) + 16);
  strcpy(path, name);
  for (int k = 0; k < 2; ++k) {
    if (FILE* f = fopen(path, "rb")) {
      fclose(f);
      return path;
    }
    strcpy(path, "data/");
    strcat(path, name);
  }
  free(path);
  return 0;
}
DOJO_SHIM_END
#endif
