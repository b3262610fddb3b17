// Absent lane: the sum is broadcast from a lane that has returned.
#include <cstdio>
#include <vector>

__global__ void share(const int* in, int* out, int n) {
  int lane = threadIdx.x;
  if (lane >= n) return;
  int v = in[lane];
  out[lane] = __shfl_sync(0xffffffffu, v, 31);  // expect: undefined_lane // fix: out[lane] = __shfl_sync((1u << n) - 1, v, n - 1);
}

int main() {
  const int n = 24;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  share<<<1, 32>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
