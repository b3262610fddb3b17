// Race, shared: the tile is read before all threads have filled it.
#include <cstdio>
#include <vector>

__global__ void reverse_blocks(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = in[i];  // other side
  // fix: __syncthreads();
  out[i] = s[127 - t];  // expect: race // fix: out[i] = s[127 - t];
}

int main() {
  const int n = 512;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_blocks<<<4, 128>>>(in, out);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
