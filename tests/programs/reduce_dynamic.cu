// Reduction with dynamic shared memory, two launches, and a lambda-free host check.
#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reduce(const int* in, int* out, int n) {
  extern __shared__ int s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 10007, block = 128, blocks = (n + block - 1) / block;
  std::vector<int> h(n);
  std::iota(h.begin(), h.end(), 1);
  int *in, *part, *total, sum;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&part, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reduce<<<blocks, block, block * sizeof(int)>>>(in, part, n);
  reduce<<<1, 128, 128 * sizeof(int)>>>(part, total, blocks);
  cudaMemcpy(&sum, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", sum, std::accumulate(h.begin(), h.end(), 0));
  cudaFree(in);
  cudaFree(part);
  cudaFree(total);
  return sum == n * (n + 1) / 2 ? 0 : 1;
}
