// The kernel of tests/microbench/uneven.cu.
#include "../../microbench/uneven.cuh"

__global__ void uneven(int* sums, unsigned words) { uneven_body(sums, words); }
