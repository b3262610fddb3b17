// What cudaMalloc and cudaFree cost the host by size: the first call of a size, and later ones.
//   nvcc -O3 -std=c++17 -arch=sm_90 mallocs.cu -o mallocs && ./mallocs
// By the host's clock, in microseconds. Later calls: medians of 15, once freed before the next, once all 15 kept.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

template <class F>
static double once(F f) {
  const auto t0 = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t0).count();
}
static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) return printf("no GPU\n"), 1;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, mallocs.cu: bytes, us of cudaMalloc and cudaFree, first call, median of 15, median of 15 all kept\n", p.name);
  const size_t sizes[] = {1ul << 10, 4ul << 10, 64ul << 10, 256ul << 10, 1ul << 20, 2ul << 20, 4ul << 20, 8ul << 20, 16ul << 20, 32ul << 20, 64ul << 20, 128ul << 20, 256ul << 20, 512ul << 20, 1ul << 30};
  for (int round = 0; round < 2; ++round)
    for (size_t n : sizes) {
      void* q = nullptr;
      const double m0 = once([&] { cudaMalloc(&q, n); }), f0 = once([&] { cudaFree(q); });
      std::vector<double> m, f, mk, fk;
      for (int i = 0; i < 15; ++i) m.push_back(once([&] { cudaMalloc(&q, n); })), f.push_back(once([&] { cudaFree(q); }));
      std::vector<void*> kept(15);
      for (void*& k : kept) mk.push_back(once([&] { cudaMalloc(&k, n); }));
      for (void*& k : kept) fk.push_back(once([&] { cudaFree(k); }));
      printf("%zu,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", n, m0, f0, median(m), median(f), median(mk), median(fk));
    }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
