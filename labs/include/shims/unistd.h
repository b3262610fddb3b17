#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "dojo_types.hpp"
#include "getopt.h"
static inline int usleep(unsigned) { return 0; }
static inline unsigned sleep(unsigned) { return 0; }
DOJO_SHIM_END
#endif
