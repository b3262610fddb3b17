// Use after free: two pointers to one buffer, and each is freed.
#include <cstdio>
#include <utility>

__global__ void step(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x] * 0.5f; }

int main() {
  float *a, *b;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&b, 64 * sizeof(float));
  cudaMemset(a, 0, 64 * sizeof(float));
  float *from = a, *to = b;
  for (int k = 0; k < 3; ++k) {
    step<<<1, 64>>>(from, to);
    std::swap(from, to);
  }
  float r;
  cudaMemcpy(&r, from, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r);
  cudaFree(from);
  cudaFree(b);  // expect: use_after_free // fix: cudaFree(to);
}
