// Barrier divergence: only the threads that have an element come to the barrier.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void shift(const int* in, int* out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < n) {
    s[t] = in[i];
    __syncthreads();  // expect: barrier_divergence // fix:
  }
  // fix: __syncthreads();
  if (i < n && t > 0) out[i] = s[t - 1];
}

int main() {
  const int n = 200;
  std::vector<int> h(n, 1);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  shift<<<2, 128>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[1]);
  cudaFree(in);
  cudaFree(out);
}
