// What a load from the L2 takes by who had its line before. The L2 of an A100 or H100 has two halves; a line at home in the
// far one is kept in the near one too once an SM of this side has read it.
//   nvcc -O3 -std=c++17 -arch=sm_90 l2_halves.cu -o l2_halves && ./l2_halves
// Cycles a step of a chain over shuffled lines of 128 bytes, past the L1, by one thread on one SM: the first time and the second.
// Then: how long histograms take to be added up by where their 256 words lie.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

__global__ void walk(const long long* next, int steps, long long* cycles, int passes) {
  for (int p = 0; p < passes; ++p) {
    long long at = 0;
    const long long a = clock64();
    for (int i = 0; i < steps; ++i) asm volatile("ld.global.cg.s64 %0, [%1];" : "=l"(at) : "l"(next + at));
    if (at >= 0) cycles[p] = clock64() - a;
  }
}
__global__ void read_all(const float* p, size_t n, float* out) {
  float s = 0;
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) s += __ldcg(p + i);
  if (s == 12345.0f) *out = s;
}
__global__ void rewrite(float* p, size_t n) {
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) p[i] = __int_as_float(__float_as_int(__ldcg(p + i)));
}
__global__ void add_up(int* bins) { atomicAdd(bins + threadIdx.x, int(blockIdx.x & 1) + 1); }

int main() {
  float *out, *other;
  long long* cycles;
  const size_t others = size_t(64) << 20;
  cudaMalloc((void**)&out, 4096), cudaMalloc((void**)&cycles, 4096), cudaMalloc((void**)&other, others * 4);
  cudaMemset(other, 0, others * 4);
  const char* ways[] = {"read by all SMs", "stored by all SMs", "copied from the host", "in DRAM"};
  for (size_t kib : {64, 1024, 4096, 8192, 16384, 24576, 32768, 40960}) {
    const size_t words = kib * 128, lines = words / 16;
    const int steps = int(std::min<size_t>(lines, 8192));
    std::vector<long long> host(words, 0), order(lines);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(5));
    for (size_t i = 0; i + 1 < lines; ++i) host[size_t(order[i]) * 16] = order[i + 1] * 16;
    long long* dev;
    cudaMalloc((void**)&dev, words * 8);
    for (int how = 0; how < 4; ++how) {
      std::vector<long long> first, second;
      for (int k = 0; k < 5; ++k) {
        cudaMemcpy(dev, host.data(), words * 8, cudaMemcpyHostToDevice);
        if (how != 2) read_all<<<1056, 256>>>(other, others, out);
        if (how == 0) read_all<<<1056, 256>>>((float*)dev, words * 2, out);
        if (how == 1) rewrite<<<1056, 256>>>((float*)dev, words * 2);
        walk<<<1, 1>>>(dev, steps - 1, cycles, 2);
        long long c[2];
        cudaMemcpy(c, cycles, 16, cudaMemcpyDeviceToHost);
        first.push_back(c[0]), second.push_back(c[1]);
      }
      std::sort(first.begin(), first.end()), std::sort(second.begin(), second.end());
      std::printf("%6zu KiB %-22s first %6.1f  second %6.1f cycles a step\n", kib, ways[how], double(first[2]) / (steps - 1), double(second[2]) / (steps - 1));
    }
    cudaFree(dev);
  }
  int* bins;
  cudaMalloc((void**)&bins, 1 << 22);
  cudaMemset(bins, 0, 1 << 22);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<double> all;
  for (int place = 0; place < 1024; ++place) {
    std::vector<float> t;
    for (int k = 0; k < 7; ++k) {
      cudaEventRecord(a);
      for (int i = 0; i < 4; ++i) add_up<<<1056, 256>>>(bins + place * 1024);
      cudaEventRecord(b);
      cudaEventSynchronize(b);
      float ms;
      cudaEventElapsedTime(&ms, a, b);
      t.push_back(ms * 250);
    }
    std::sort(t.begin(), t.end());
    all.push_back(t[3]);
  }
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  std::printf("1056 blocks add 256 counters, at 1024 places 4 KiB apart: min %.2f, 10 %% %.2f, median %.2f, 90 %% %.2f, max %.2f us a launch\n", sorted[0],
              sorted[102], sorted[512], sorted[921], sorted[1023]);
  std::printf("the first 16:");
  for (int i = 0; i < 16; ++i) std::printf(" %.2f", all[size_t(i)]);
  std::printf("\n%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
