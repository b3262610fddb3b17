// Uninitialised, shared: only as many shared bins are cleared as the block has threads.
#include <cstdio>
#include <vector>

constexpr int bins = 256;

__global__ void histogram(const unsigned char* x, int n, unsigned* count) {
  __shared__ unsigned local[bins];
  if (threadIdx.x < bins) local[threadIdx.x] = 0;  // fix: for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[x[i]], 1u);  // expect: uninitialized // fix: atomicAdd(&local[x[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&count[b], local[b]);
}

int main() {
  const int n = 4096;
  std::vector<unsigned char> h(n);
  for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i * 31);
  unsigned char* x;
  unsigned *count, r[bins];
  cudaMalloc(&x, n);
  cudaMalloc(&count, sizeof r);
  cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof r);
  histogram<<<4, 128>>>(x, n, count);
  cudaMemcpy(r, count, sizeof r, cudaMemcpyDeviceToHost);
  printf("%u\n", r[7]);
  cudaFree(x);
  cudaFree(count);
}
