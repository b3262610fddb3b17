// Absent lane: all 32 lanes shuffle, but the mask names the lower sixteen only.
#include <cstdio>
#include <vector>

__global__ void sum(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0x0000ffffu, v, d);  // expect: absent_lane // fix: for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  out[threadIdx.x] = v;
}

int main() {
  std::vector<int> h(32, 2);
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(in, h.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out);
  cudaMemcpy(h.data(), out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
