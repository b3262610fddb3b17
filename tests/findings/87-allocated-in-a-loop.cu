// Leak: every round allocates its scratch anew, and only the last is freed.
#include <cstdio>

__global__ void half(const float* in, float* out) { out[threadIdx.x] = in[2 * threadIdx.x] + in[2 * threadIdx.x + 1]; }

int main() {
  float *x, *y = nullptr, r;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  for (int n = 32; n > 0; n /= 2) {
    cudaMalloc(&y, n * sizeof(float));  // expect: leak // fix: cudaMalloc(&y, n * sizeof(float));
    half<<<1, n>>>(x, y);
    // fix: cudaFree(x);
    x = y;
  }
  cudaMemcpy(&r, x, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r);
  cudaFree(x);
}
