// How many loads an SM has on their way where most of them go to lines that another has just asked for.
//   nvcc -O3 -std=c++17 -arch=sm_90 pending.cu -o pending && ./pending
// Each warp loads once from a line that is in DRAM (or the L2), then more from the same line, and waits for all of them; then the
// next. All SMs, or one. Cycles of an SM a round of a warp, by loads a round and warps an SM; and rounds x loads on their way by
// the time that a round takes.
#include <algorithm>
#include <cstdio>
#include <vector>

template <int LOADS, int STEP>
__global__ void rounds_kernel(const float* in, size_t words, int rounds, float* out, long long* cycles) {
  extern __shared__ float unused[];
  const size_t warp = blockIdx.x * size_t(blockDim.x / 32) + threadIdx.x / 32, warps = size_t(gridDim.x) * (blockDim.x / 32);
  const int lane = threadIdx.x % 32;
  float s = 0;
  __syncthreads();
  const long long a = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    const float* p = in + (warp + r * warps) * 64 % words + lane;  // 256 bytes a round: two lines
    float v[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; ++k) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[k]) : "l"(p + k * STEP));
#pragma unroll
    for (int k = 0; k < LOADS; ++k) s += v[k];
  }
  const long long b = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0) cycles[blockIdx.x] = b - a;
}
template <int LOADS, int STEP>
void show(const float* in, size_t words, float* out, long long* cycles, const char* from, int blocks, int warps) {
  const int rounds = 64;
  cudaFuncSetAttribute(rounds_kernel<LOADS, STEP>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024);
  for (int k = 0; k < 3; ++k)  // one block an SM: much shared memory; 107 KiB of L1 are left
    rounds_kernel<LOADS, STEP><<<blocks, warps * 32, 120 * 1024>>>(in, words, rounds, out, cycles);
  std::vector<long long> c(blocks);
  cudaMemcpy(c.data(), cycles, 8 * blocks, cudaMemcpyDeviceToHost);
  std::sort(c.begin(), c.end());
  const double round = double(c[blocks / 2]) / rounds;
  std::printf("%-4s %3d SMs, %2d loads %2d words apart, %2d warps: a round %7.1f, of the SM %6.2f cycles, a load %5.2f\n", from, blocks, LOADS, STEP,
              warps, round, round / warps, round / warps / LOADS);
}
template <int STEP>
void all(const float* in, size_t words, float* out, long long* cycles, const char* from, int blocks) {
  for (int warps : {4, 16, 32}) {
    show<1, STEP>(in, words, out, cycles, from, blocks, warps);
    show<2, STEP>(in, words, out, cycles, from, blocks, warps);
    show<4, STEP>(in, words, out, cycles, from, blocks, warps);
    show<8, STEP>(in, words, out, cycles, from, blocks, warps);
    show<16, STEP>(in, words, out, cycles, from, blocks, warps);
    show<32, STEP>(in, words, out, cycles, from, blocks, warps);
  }
}
int main() {
  float *in, *out;
  long long* cycles;
  const size_t words = size_t(256) << 20;  // 1 GiB, of which a kernel reads up to 69 MB: what fits the L2 is there, a second time
  cudaMalloc((void**)&in, (words + 1024) * 4), cudaMalloc((void**)&out, 1 << 22), cudaMalloc((void**)&cycles, 1 << 16);
  cudaMemset(in, 0, (words + 1024) * 4);
  all<1>(in, words, out, cycles, "DRAM", 132);
  all<0>(in, words, out, cycles, "DRAM", 132);
  all<1>(in, words, out, cycles, "DRAM", 1);
  all<1>(in, size_t(1) << 20, out, cycles, "L2", 132);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
