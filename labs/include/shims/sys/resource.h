#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "time.h"
// Time of the process: the modelled host's clock.
#define RUSAGE_SELF 0
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss;
};
static inline int getrusage(int, struct rusage* r) {
  const long us = __dojo_now_ns() / 1000;
  r->ru_utime.tv_sec = us / 1000000l;
  r->ru_utime.tv_usec = us % 1000000l;
  r->ru_stime.tv_sec = r->ru_stime.tv_usec = 0;
  r->ru_maxrss = 0;
  return 0;
}
DOJO_SHIM_END
#endif
