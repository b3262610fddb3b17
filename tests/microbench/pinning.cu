// What memory costs the host by its size: to register and unregister pages that were written before, and to allocate and free pinned and
// device memory.
//   nvcc -O3 -std=c++17 -arch=sm_90 pinning.cu -o pinning && ./pinning
// Medians of 15 by the host's clock, in microseconds.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

static double once(const std::function<void()>& f) {
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
  printf("# %s, pinning.cu: bytes, us to register, unregister, register again, cudaMallocHost, cudaFreeHost, cudaMalloc, cudaFree\n", p.name);
  for (size_t n : {4096ul, 65536ul, 1ul << 20, 4ul << 20, 16ul << 20, 64ul << 20, 256ul << 20}) {
    std::vector<double> t[7];
    for (int i = 0; i < 15; ++i) {
      char* m = (char*)mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memset(m, 1, n);
      t[0].push_back(once([&] { cudaHostRegister(m, n, cudaHostRegisterDefault); }));
      t[1].push_back(once([&] { cudaHostUnregister(m); }));
      t[2].push_back(once([&] { cudaHostRegister(m, n, cudaHostRegisterDefault); }));
      cudaHostUnregister(m);
      munmap(m, n);
      void* q = nullptr;
      t[3].push_back(once([&] { cudaMallocHost(&q, n); }));
      t[4].push_back(once([&] { cudaFreeHost(q); }));
      t[5].push_back(once([&] { cudaMalloc(&q, n); }));
      t[6].push_back(once([&] { cudaFree(q); }));
    }
    printf("%zu", n);
    for (auto& v : t) printf(",%.1f", median(v));
    printf("\n");
  }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
