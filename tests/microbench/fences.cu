// What a fence takes while other warps of the SM, and other SMs, read or write.
//   nvcc -O3 -std=c++17 -arch=sm_90 fences.cu -o fences && ./fences
// Cycles by clock64() of the thread that fences; the mean of all blocks.
#include <cstdio>
#include <vector>

enum Beside { nothing, l2_reads, dram_reads, writes };

/// One thread of each block stores a word, fences, and adds to a word of all blocks, `turns` times; the block's other warps read or write
/// 16 bytes a lane, `each` at once, until it has done so. Cycles of the fences and of the atomics, summed, by block.
template <Beside beside, bool stores>
__global__ void fence_beside(const float4* in, float4* sink, unsigned* count, unsigned* own, long long* cycles, int turns, unsigned mask) {
  __shared__ volatile int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x) return;
    long long fences = 0, atomics = 0;
    for (int i = 0; i < turns; ++i) {
      if (stores) own[blockIdx.x * 32 + (i & 7)] = i;
      const long long a = clock64();
      __threadfence();
      const long long b = clock64();
      const unsigned old = atomicAdd(count, 1u);
      if (old == 0xFFFFFFFFu) cycles[0] = 0;
      const long long c = clock64();
      fences += b - a, atomics += c - b;
    }
    cycles[blockIdx.x * 2] = fences, cycles[blockIdx.x * 2 + 1] = atomics;
    done = 1;
    return;
  }
  if (beside == nothing) return;
  float sum = 0;
  unsigned at = (blockIdx.x * 7 + threadIdx.x / 32) * 128 + threadIdx.x % 32;
  while (!done) {
    if (beside == writes) {
#pragma unroll
      for (int k = 0; k < 4; ++k) sink[(at + k * 32) & mask] = float4{sum, 1, 2, 3};
    } else {
      float4 v[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) v[k] = __ldcg(in + ((at + k * 32) & mask));
#pragma unroll
      for (int k = 0; k < 4; ++k) sum += v[k].x + v[k].w;
    }
    at += gridDim.x * 7 * 128;
  }
  if (sum == 12345.0f) sink[0].x = sum;
}

template <Beside beside, bool stores> void report(const char* name, size_t bytes) {
  float4 *in, *sink;
  unsigned *count, *own;
  long long* cycles;
  cudaMalloc((void**)&in, bytes), cudaMalloc((void**)&sink, bytes), cudaMalloc((void**)&count, 4);
  cudaMalloc((void**)&own, 132 * 8 * 128), cudaMalloc((void**)&cycles, 132 * 8 * 16);
  cudaMemset(in, 0, bytes), cudaMemset(count, 0, 4);
  for (int blocks : {1, 132, 264, 528, 1056}) {
    std::vector<long long> c(size_t(blocks) * 2);
    for (int i = 0; i < 2; ++i) fence_beside<beside, stores><<<blocks, 256>>>(in, sink, count, own, cycles, 64, unsigned(bytes / 16 - 1));
    cudaMemcpy(c.data(), cycles, c.size() * 8, cudaMemcpyDeviceToHost);
    double fences = 0, atomics = 0;
    for (int b = 0; b < blocks; ++b) fences += double(c[size_t(b) * 2]), atomics += double(c[size_t(b) * 2 + 1]);
    std::printf("%-12s %-8s %4d blocks  fence %8.0f  atomic %8.0f cycles\n", name, stores ? "stored" : "not", blocks, fences / blocks / 64, atomics / blocks / 64);
  }
  cudaFree(in), cudaFree(sink), cudaFree(count), cudaFree(own), cudaFree(cycles);
}

int main() {
  report<nothing, true>("alone", 1 << 24), report<nothing, false>("alone", 1 << 24);
  report<l2_reads, true>("L2 reads", 1 << 24), report<l2_reads, false>("L2 reads", 1 << 24);
  report<dram_reads, true>("DRAM reads", size_t(1) << 31), report<dram_reads, false>("DRAM reads", size_t(1) << 31);
  report<writes, true>("writes", size_t(1) << 31), report<writes, false>("writes", size_t(1) << 31);
  report<writes, true>("L2 writes", 1 << 24), report<writes, false>("L2 writes", 1 << 24);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
