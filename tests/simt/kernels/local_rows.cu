// Every kernel of tests/microbench/local_rows.cu, by its use and the bytes of an element.
#include "../../microbench/local_rows.cuh"

#define LOCAL_ROWS(use, bytes, T)                                          \
  __global__ void use##bytes(int* out, unsigned rounds, unsigned spread) { \
    local_rows_body<T, LocalUse::use>(out, rounds, spread);                \
  }
#define LOCAL_USES(bytes, T) \
  LOCAL_ROWS(read, bytes, T) LOCAL_ROWS(write, bytes, T) LOCAL_ROWS(update, bytes, T)
LOCAL_USES(1, unsigned char)
LOCAL_USES(2, short)
LOCAL_USES(4, int)
LOCAL_USES(8, long long)
