// Calls of cuBLAS that nothing here defines: each says its name once and returns CUBLAS_STATUS_NOT_SUPPORTED.
#include "not_simulated.hpp"

#define WARPDOJO_MISSING(NAME)                                        \
  extern "C" __attribute__((weak, visibility("default"))) int NAME(); \
  extern "C" int NAME() {                                             \
    __cudaDojoMissing(#NAME, __builtin_return_address(0));            \
    return 15;                                                        \
  }
#include "missing_blas.inc"
