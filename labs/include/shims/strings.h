#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "dojo_clib.hpp"
static inline void bzero(void* p, size_t n) { memset(p, 0, n); }
static inline void bcopy(const void* from, void* to, size_t n) { memmove(to, from, n); }
DOJO_SHIM_END
#endif
