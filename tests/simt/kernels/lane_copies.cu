// The kernel of tests/microbench/lane_copies.cu.
#include "../../microbench/lane_copies.cuh"

__global__ void lane_copies(const char* in, unsigned* out, int rounds, unsigned lanes, unsigned bytes) {
  lane_copies_body(in, out, rounds, lanes, bytes);
}
