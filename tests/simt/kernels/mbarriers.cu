// The kernels of tests/microbench/mbarriers.cu.
#include "../../microbench/mbarriers.cuh"

__global__ void mbarriers_try(unsigned* out, int rounds, int work, unsigned lanes) {
  mbarriers_body<true>(out, rounds, work, lanes);
}
__global__ void mbarriers_test(unsigned* out, int rounds, int work, unsigned lanes) {
  mbarriers_body<false>(out, rounds, work, lanes);
}
