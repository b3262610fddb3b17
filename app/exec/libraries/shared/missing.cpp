// Calls of a library that nothing here defines: each says its name once and returns the library's status for
// what is not supported. CMakeLists.txt makes the list from the library's header.
#include "not_simulated.hpp"

#define WARPDOJO_MISSING(NAME)                                        \
  extern "C" __attribute__((weak, visibility("default"))) int NAME(); \
  extern "C" int NAME() {                                             \
    __cudaDojoMissing(#NAME, __builtin_return_address(0));            \
    return WARPDOJO_NOT_SUPPORTED;                                    \
  }
#include WARPDOJO_MISSING_CALLS
