// Every kernel of tests/microbench/rows.cu: row<packs><work><stored>.
#include "../../microbench/rows.cuh"

#define ROW(packs, work, stored)                                            \
  __global__ void row##packs##work##stored(const float4* in, float4* out) { \
    row_body<packs, work, stored>(in, out);                                 \
  }
#define STORED(packs, work) ROW(packs, work, true) ROW(packs, work, false)
#define ROWS(packs) \
  STORED(packs, kMove) STORED(packs, kShuffles) STORED(packs, kExponentials) STORED(packs, kDivisions)
ROWS(1)
ROWS(2)
ROWS(8)
