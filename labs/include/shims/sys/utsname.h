#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "../dojo_clib.hpp"
struct utsname {
  char sysname[65], nodename[65], release[65], version[65], machine[65];
};
static inline int uname(struct utsname* u) {
  strcpy(u->sysname, "Linux");
  strcpy(u->nodename, "warpdojo");
  strcpy(u->release, "6.0");
  strcpy(u->version, "1");
  strcpy(u->machine, "x86_64");
  return 0;
}
DOJO_SHIM_END
#endif
