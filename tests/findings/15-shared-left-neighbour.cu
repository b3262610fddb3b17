// Bounds, shared: the first thread of the block has no neighbour to its left in the tile.
#include <cstdio>
#include <vector>

__global__ void differences(const int* in, int* out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n) s[t] = in[i];
  __syncthreads();
  if (i > 0 && i < n) {  // fix: if (i < n && t > 0) {
    out[i] = s[t] - s[t - 1];  // expect: out_of_bounds // fix: out[i] = s[t] - s[t - 1];
  }  // fix: } else if (i > 0 && i < n) { out[i] = s[t] - in[i - 1]; }
}

int main() {
  const int n = 1000;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  differences<<<4, 256>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[300]);
  cudaFree(in);
  cudaFree(out);
}
