#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../dojo_clib.hpp"
// Memory without a file alone: pages of the program's heap.
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED (reinterpret_cast<void*>(~size_t(0)))
static inline void* mmap(void*, size_t bytes, int, int flags, int, long) {
  void* p = flags & MAP_ANONYMOUS && bytes ? aligned_alloc(4096, (bytes + 4095) / 4096 * 4096) : nullptr;
  if (!p) return MAP_FAILED;
  memset(p, 0, bytes);
  return p;
}
static inline int munmap(void* p, size_t) {
  free(p);
  return 0;
}
DOJO_SHIM_END
#endif
