// The kernels of tests/microbench/grid_barriers.cu.
#include "../../microbench/grid_barriers.cuh"

__global__ void grid_barriers(int* words, unsigned barriers) { grid_barriers_body(words, barriers); }
