#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../dojo_types.hpp"
typedef long off_t;
typedef int pid_t;
typedef unsigned int mode_t, uid_t, gid_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
DOJO_SHIM_END
#endif
