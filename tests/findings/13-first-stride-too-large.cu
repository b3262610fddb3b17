// Bounds, shared: the tree reduction starts with the whole block as its distance.
#include <cstdio>
#include <vector>

__global__ void block_max(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {  // fix: for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] = max(s[t], s[t + d]);  // expect: out_of_bounds // fix: if (t < d) s[t] = max(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 512;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 37) % 101;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  block_max<<<4, 128>>>(in, out);
  cudaMemcpy(h.data(), out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
