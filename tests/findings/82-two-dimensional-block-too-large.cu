// Launch limit: 32 x 64 threads are 2048 as well.
#include <cstdio>

__global__ void clear(float* m, int width) {
  m[(blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

int main() {
  const int n = 128;
  float *m, h = 1;
  cudaMalloc(&m, n * n * sizeof(float));
  cudaMemset(m, 1, n * n * sizeof(float));
  dim3 block(32, 64);  // fix: dim3 block(32, 8);
  clear<<<dim3(n / block.x, n / block.y), block>>>(m, n);  // expect: launch_error // fix: clear<<<dim3(n / block.x, n / block.y), block>>>(m, n);
  cudaMemcpy(&h, m, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaFree(m);
}
