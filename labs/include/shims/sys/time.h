#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../ctime"
struct timeval {
  time_t tv_sec;
  long tv_usec;
};
static inline int gettimeofday(struct timeval* t, void*) {
  const long us = __dojo_epoch_ns() / 1000;
  t->tv_sec = us / 1000000l;
  t->tv_usec = us % 1000000l;
  return 0;
}
DOJO_SHIM_END
#endif
