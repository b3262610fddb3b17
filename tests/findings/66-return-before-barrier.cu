// Barrier divergence: threads past the end return before the barrier. Valid from Volta on.
#include <cstdio>
#include <vector>

__global__ void block_sum(const int* in, int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i >= n) return;  // fix:
  s[t] = in[i];  // fix: s[t] = i < n ? in[i] : 0;
  __syncthreads();  // expect: barrier_divergence (warning) // fix: __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < 64 && blockIdx.x * 64 + k < n; ++k) sum += s[k];
    out[blockIdx.x] = sum;
  }
}

int main() {
  const int n = 100;
  std::vector<int> h(n, 1);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  block_sum<<<2, 64>>>(in, out, n);
  cudaMemcpy(h.data(), out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[1]);
  cudaFree(in);
  cudaFree(out);
}
