// What a chain of loads waits that walks a few hundred bytes to some KiB which nobody has read: how much of it the first comes with, and
// what the next ones wait at the same page of DRAM.
//   nvcc -O3 -std=c++17 -arch=sm_90 trips.cu -o trips && ./trips
// Median cycles of each load of a chain, over places 3 MiB apart, behind an L2 emptied by reading 150 MiB.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kLoads = 16, kPlaces = 40;
constexpr size_t kEmpty = size_t(150) << 20, kApart = (size_t(3) << 20) + 4096;

__global__ void chain(const char* from, int stride, int* cycles, int* sink) {
  __shared__ int at[kLoads + 1];
  int offset = 0;
  at[0] = int(clock64());
  for (int i = 0; i < kLoads; ++i) {
    offset += *reinterpret_cast<const volatile int*>(from + offset) + stride;  // the memory holds zeros
    at[i + 1] = int(clock64()) + (offset < 0);
  }
  for (int i = 0; i < kLoads; ++i) cycles[blockIdx.x * 64 + i] = at[i + 1] - at[i];
  if (offset == 1) *sink = 1;
}

__global__ void empty(uint4* p) {
  const uint4 v = p[blockIdx.x * 256 + threadIdx.x];
  if (v.x | v.y | v.z) p[blockIdx.x * 256 + threadIdx.x] = make_uint4(0, 0, 0, 0);
}

int main() {
  char* in;
  int* cycles;
  uint4* other;
  if (cudaMalloc((void**)&in, kApart * kPlaces) != cudaSuccess || cudaMalloc((void**)&cycles, 4096) != cudaSuccess ||
      cudaMalloc((void**)&other, kEmpty) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kApart * kPlaces), cudaMemset(other, 0, kEmpty);
  // All SMs on the same way at the same time: the median of all of them.
  for (int blocks : {2, 8, 33, 66, 132, 264, 528})
    for (int stride : {64, 352, 4096}) {
      std::vector<int> of[kLoads];
      std::vector<int> got(size_t(blocks) * 64);
      int* all;
      cudaMalloc((void**)&all, got.size() * 4 + 256);
      for (int warm = 0; warm < 2; ++warm)
        for (int place = 0; place < kPlaces; ++place) {
          empty<<<unsigned(kEmpty / 4096), 256>>>(other);
          chain<<<blocks, 1>>>(in + size_t(place) * kApart, stride, all, all + blocks * 64);
          cudaMemcpy(got.data(), all, got.size() * 4, cudaMemcpyDeviceToHost);
          for (int b = 0; warm && b < blocks; ++b)
            for (int i = 0; i < kLoads; ++i) of[i].push_back(got[size_t(b) * 64 + i]);
        }
      cudaFree(all);
      std::printf("%3d blocks, %5d apart:", blocks, stride);
      for (auto& v : of) std::sort(v.begin(), v.end()), std::printf(" %4d", v[v.size() / 2]);
      std::printf("\n");
    }
  for (int first : {0, 32, 64})
    for (int stride : {4, 32, 64, 128, 256, 512, 1024, 2048, 4096, 65536}) {
      std::vector<int> of[kLoads];
      for (int warm = 0; warm < 2; ++warm)  // the first run brings the code
        for (int place = 0; place < kPlaces; ++place) {
          empty<<<unsigned(kEmpty / 4096), 256>>>(other);
          chain<<<1, 1>>>(in + size_t(place) * kApart + first, stride, cycles, cycles + 64);
          int got[kLoads];
          cudaMemcpy(got, cycles, sizeof got, cudaMemcpyDeviceToHost);
          if (warm)
            for (int i = 0; i < kLoads; ++i) of[i].push_back(got[i]);
        }
      std::printf("from %2d, %5d apart:", first, stride);
      for (auto& v : of) std::sort(v.begin(), v.end()), std::printf(" %4d", v[v.size() / 2]);
      std::printf("\n");
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
