// What stays in the L2 of S MiB that a kernel has just stored or read, in the order in which it went: the lines are then
// read in that order, one after another, by one thread past the L1.
//   nvcc -O3 -std=c++17 -arch=sm_90 kept.cu -o kept && ./kept
// A row a way and size: of each eighth of the lines the share in percent that came from the near half, the far half and DRAM
// (bounds: halfway between the latencies that l2_halves.cu found), and the cycles a step.
#include <algorithm>
#include <cstdio>

__global__ void walk(const long long* p, int steps, int* found, long long* cycles) {
  long long at = 0;
  const long long begin = clock64();
  for (int e = 0; e < 8; ++e) {
    int near = 0, far = 0, dram = 0;
    for (int i = e * (steps / 8); i < (e + 1) * (steps / 8); ++i) {
      long long v;
      const long long a = clock64();
      asm volatile("ld.global.cg.s64 %0, [%1];" : "=l"(v) : "l"(p + i * 16ll + at));
      at = v & 1;  // 0; the next address waits for it
      const long long took = clock64() + at - a;
      if (took < 380) ++near;
      else if (took < 580) ++far;
      else ++dram;
    }
    found[3 * e] = near, found[3 * e + 1] = far, found[3 * e + 2] = dram;
  }
  *cycles = clock64() - begin;
}
__global__ void read_all(const float4* p, size_t n, float* out) {
  float s = 0;
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) s += __ldcg(p + i).x;
  if (s == 12345.0f) *out = s;
}
__global__ void read_once(const float4* p, size_t n, float* out) {
  const size_t i = blockIdx.x * size_t(256) + threadIdx.x;
  if (i < n && __ldcg(p + i).x == 12345.0f) *out = 1;
}
__global__ void store_lines(float4* p, size_t n) {
  const size_t i = blockIdx.x * size_t(256) + threadIdx.x;
  if (i < n) p[i] = {};
}
// Words of eight bytes 2 KiB apart: four blocks make a sector, as in a matrix of bits that blocks write by columns.
__global__ void store_columns(long long* p) { p[(blockIdx.y * 64ll + threadIdx.x) * 256 + blockIdx.x] = 0; }

int main() {
  float* out;
  float4* other;
  long long* cycles;
  int* found;
  const size_t others = size_t(12) << 20;  // 192 MiB
  cudaMalloc((void**)&out, 4096), cudaMalloc((void**)&cycles, 4096), cudaMalloc((void**)&found, 4096), cudaMalloc((void**)&other, others * 16);
  cudaMemset(other, 0, others * 16);
  const char* ways[] = {"stored in lines", "stored in columns", "read"};
  for (int how = 0; how < 3; ++how)
    for (size_t mib : {16, 24, 28, 32, 36, 40, 44, 48}) {
      const size_t bytes = mib << 20, lines = bytes / 128;
      long long* dev;
      cudaMalloc((void**)&dev, bytes);
      cudaMemset(dev, 0, bytes);
      for (int k = 0; k < 2; ++k) {  // the second is printed
        read_all<<<1056, 256>>>(other, others, out);
        if (how == 0) store_lines<<<unsigned(bytes / 4096), 256>>>((float4*)dev, bytes / 16);
        if (how == 1) store_columns<<<dim3(256, unsigned(bytes / 2048 / 64)), 64>>>(dev);
        if (how == 2) read_once<<<unsigned(bytes / 4096), 256>>>((float4*)dev, bytes / 16, out);
        walk<<<1, 1>>>(dev, int(lines), found, cycles);
      }
      int f[24];
      long long c;
      cudaMemcpy(f, found, sizeof f, cudaMemcpyDeviceToHost), cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
      std::printf("%-18s %2zu MiB", ways[how], mib);
      double all[3] = {};
      for (int e = 0; e < 8; ++e) {
        const double s = 100.0 / double(f[3 * e] + f[3 * e + 1] + f[3 * e + 2]);
        std::printf("  %.0f/%.0f/%.0f", s * f[3 * e], s * f[3 * e + 1], s * f[3 * e + 2]);
        for (int i = 0; i < 3; ++i) all[i] += s * f[3 * e + i] / 8;
      }
      std::printf("  all %.1f/%.1f/%.1f  %.0f cycles a step\n", all[0], all[1], all[2], double(c) / double(lines));
      cudaFree(dev);
    }
}
