// Race, global: the last block adds up the partial sums, but nothing makes them visible before the counter rises.
#include <cstdio>
#include <vector>

__device__ unsigned finished;

__global__ void sum(const float* in, float* partial, float* total, int n) {
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = v;  // other side
    // fix: __threadfence();
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float sum = 0;
    for (int k = 0; k < gridDim.x; ++k) sum += partial[k];  // expect: race // fix: for (int k = 0; k < gridDim.x; ++k) sum += partial[k];
    *total = sum;
  }
}

int main() {
  const int n = 1024;
  std::vector<float> h(n, 1.0f);
  float *in, *partial, *total, r;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&partial, 8 * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<8, 32>>>(in, partial, total, n);
  cudaMemcpy(&r, total, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(total);
}
