// Pi by a generator of our own on the device, chrono timing on the host.
#include <chrono>
#include <iomanip>
#include <iostream>

__device__ unsigned next(unsigned& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}

__global__ void pi(unsigned long long* hits, int draws) {
  unsigned s = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
  int inside = 0;
  for (int i = 0; i < draws; ++i) {
    float x = next(s) * (1.0f / 4294967296.0f), y = next(s) * (1.0f / 4294967296.0f);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, (unsigned long long)inside);
}

int main() {
  unsigned long long *d, h = 0;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  auto start = std::chrono::high_resolution_clock::now();
  pi<<<8, 128>>>(d, 100);
  cudaDeviceSynchronize();
  auto end = std::chrono::high_resolution_clock::now();
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  double estimate = 4.0 * double(h) / (8 * 128 * 100);
  std::cout << "pi is about " << std::fixed << std::setprecision(1) << estimate << std::endl;
  auto us = std::chrono::duration_cast<std::chrono::microseconds>(end - start).count();
  std::cout << (us >= 0 ? "took time" : "went back") << std::endl;
}
