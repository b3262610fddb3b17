#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "types.h"
#include "../stdio.h"
// Of a file only whether it can be opened, and its size, is known here.
#define S_IFREG 0100000
#define S_ISREG(mode) (((mode) & 0170000) == S_IFREG)
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
struct stat {
  mode_t st_mode;
  off_t st_size;
  long st_mtime;
};
static inline int stat(const char* name, struct stat* s) {
  FILE* f = fopen(name, "rb");
  if (!f) return -1;
  fseek(f, 0, SEEK_END);
  s->st_mode = S_IFREG | 0644;
  s->st_size = ftell(f);
  s->st_mtime = 0;
  fclose(f);
  return 0;
}
static inline int mkdir(const char*, mode_t) { return 0; }
DOJO_SHIM_END
#endif
