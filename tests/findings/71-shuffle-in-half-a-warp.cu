// Absent lane: the block has 48 threads, and the second warp's missing half is shuffled from.
#include <cstdio>
#include <vector>

__global__ void warp_sums(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);  // expect: undefined_lane // fix: for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

int main() {
  const int n = 48;  // fix: const int n = 64;
  std::vector<int> h(n, 1);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  warp_sums<<<1, n>>>(in, out);
  cudaMemcpy(h.data(), out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[1]);
  cudaFree(in);
  cudaFree(out);
}
