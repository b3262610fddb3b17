// Race, shared, fence: one warp hands a tile to another by a flag in shared memory, with no fence before the flag.
#include <cstdio>

__global__ void pass_on(int* out) {
  __shared__ int tile[32];
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    tile[lane] = lane * lane;  // other side
    // fix: __threadfence_block();
    __syncwarp();
    if (lane == 0) atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {}
    __threadfence_block();
    out[lane] = tile[31 - lane];  // expect: race // fix: out[lane] = tile[31 - lane];
  }
}

int main() {
  int *out, h[32];
  cudaMalloc(&out, sizeof h);
  pass_on<<<1, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
