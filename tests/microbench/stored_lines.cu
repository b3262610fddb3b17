// What a block pays a turn that sums up what other blocks have stored, as the last block of a reduction does: `value +=
// partials[i]` by eight warps, a line each, one load in flight a warp. By who stored the lines, and what was read since.
// Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 stored_lines.cu -o stored_lines && ./stored_lines
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void store_word(float* out) {  // one word a block: eight SMs write a sector
  if (threadIdx.x == 0) out[blockIdx.x] = 1.0f;
}
__global__ void store_line(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1.0f; }
__global__ void stream(const float4* in, float* out, size_t n) {
  float v = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) v += in[i].x;
  if (v == 12345.0f) *out = v;
}
__global__ void sum(const float* partials, int n, float* out, int* cycles, int rounds) {
  float v = 0;
  for (int r = 0; r < rounds; ++r) {
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += __ldcg(partials + i);
    __syncthreads();
    if (threadIdx.x == 0) cycles[r] = int(clock64() - start);
  }
  out[threadIdx.x] = v;
}

int main() {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return printf("no GPU\n"), 1;
  printf("# %s, stored_lines.cu: cycles a turn of 256 words, the first time and the second\n", p.name);
  float *partials, *out, *big;
  int* cycles;
  const size_t bytes = size_t(256) << 20;
  cudaMalloc(&partials, 1 << 20), cudaMalloc(&out, 4096), cudaMalloc(&big, bytes), cudaMalloc(&cycles, 64);
  cudaMemset(big, 0, bytes);
  const char* names[] = {"a word a block", "a line a warp", "a fill"};
  for (int n : {1056, 4096, 32768})
    for (int mb : {0, 16, 32, 48, 128})
      for (int how = 0; how < 3; ++how) {
        std::vector<int> first, second;
        for (int k = 0; k < 9; ++k) {
          stream<<<1056, 256>>>((const float4*)big, out, bytes / 16);
          if (how == 0) store_word<<<n, 32>>>(partials);
          if (how == 1) store_line<<<n / 32, 32>>>(partials);
          if (how == 2) cudaMemset(partials, 0, n * 4);
          if (mb) stream<<<1056, 256>>>((const float4*)big, out, (size_t(mb) << 20) / 16);
          sum<<<1, 256>>>(partials, n, out, cycles, 2);
          int host[2];
          cudaMemcpy(host, cycles, 8, cudaMemcpyDeviceToHost);
          first.push_back(host[0]), second.push_back(host[1]);
        }
        std::sort(first.begin(), first.end()), std::sort(second.begin(), second.end());
        const double turns = (n + 255) / 256;
        printf("%6d words stored by %-15s %3d MiB read since  %6.1f  %6.1f\n", n, names[how], mb, first[4] / turns, second[4] / turns);
      }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
