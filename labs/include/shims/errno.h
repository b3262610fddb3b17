#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "dojo_clib.hpp"
// No call of the interpreted host sets it.
static inline int* __dojo_errno() {
  static int value = 0;
  return &value;
}
#define errno (*__dojo_errno())
#define ENOENT 2
#define EINTR 4
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
DOJO_SHIM_END
#endif
