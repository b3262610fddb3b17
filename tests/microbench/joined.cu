// Of SMs that ask for the same lines at the same time: how many of their requests reach the L2, and how many it counts as found.
//   nvcc -O3 -std=c++17 -arch=sm_90 joined.cu -o joined
//   ncu --clock-control none --metrics l1tex__m_xbar2l1tex_read_sectors.sum,lts__t_sectors_srcunit_tex_op_read.sum,...  ./joined
// Nsight Compute counts what the kernels' names don't say: each launch's arguments are printed in the order of the launches.
#include <cstdio>
#include <string>
#include <vector>

#include "shares.cuh"

template <int L> __global__ void crowd(const float4* in, float* out, int rounds, int turns, int late) {
  crowd_body<L>(in, out, rounds, turns, late);
}

/// One block an SM; those of SM a and SM b read the same lines, a round at a time, from a common moment on.
__global__ void pair(const float4* in, float* out, unsigned* ready, int a, int b, int rounds) {
  int sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  if (sm != a && sm != b) return;
  if (threadIdx.x == 0) {
    atomicAdd(ready, 1);
    while (atomicAdd(ready, 0) < (a == b ? 1u : 2u)) {}
  }
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    const float4 v = in[size_t(r) * 512 + threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  if (sum == 12345.0f) out[0] = sum;
}

/// Which SM each block is on; blocks stay until all have come, as many as the GPU holds.
__global__ void places(int* sm_of, unsigned* ready, unsigned wait_for) {
  int sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x) return;
  sm_of[blockIdx.x] = sm;
  atomicAdd(ready, 1);
  while (atomicAdd(ready, 0) < wait_for) {}
}

int main(int argc, char** argv) {
  float4* in;
  float* out;
  unsigned* ready;
  constexpr size_t bytes = size_t(16) << 20;
  if (cudaMalloc((void**)&in, bytes) != cudaSuccess || cudaMalloc((void**)&out, 4096) != cudaSuccess ||
      cudaMalloc((void**)&ready, 4096) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, bytes);
  const std::string what = argc > 1 ? argv[1] : "crowd";
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (what == "crowd")
    for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132, 264, 528})
      for (int late : {0, 1, 8, 64}) {
        if (blocks == 1 && late) continue;
        for (int l : {1, 4}) {
          (l == 1 ? crowd<1> : crowd<4>)<<<blocks, 512>>>(in, out, 96, 16, late);
          std::printf("crowd %d a thread, %3d blocks, %2d late\n", l, blocks, late);
        }
      }
  if (what == "pairs") {
    cudaFuncSetAttribute(pair, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
    for (int a = 0; a < 16; a += 2)
      for (int b = a; b < sms; b += 2) {
        cudaMemset(ready, 0, 4);
        pair<<<sms, 512, 200 * 1024>>>(in, out, ready, a, b, 8);
        std::printf("pair %d %d\n", a, b);
      }
  }
  if (what == "places")
    for (int threads : {128, 256, 512, 1024})
      for (int blocks : {4, 8, 16, 33, 66, 132, 264, 528}) {
        if (blocks > sms * (2048 / threads)) continue;
        cudaMemset(ready, 0, 4);
        places<<<blocks, threads>>>(reinterpret_cast<int*>(out), ready, blocks);
        std::vector<int> sm(blocks);
        cudaMemcpy(sm.data(), out, blocks * 4, cudaMemcpyDeviceToHost);
        std::printf("places of %d blocks of %d threads:", blocks, threads);
        for (int s : sm) std::printf(" %d", s);
        std::printf("\n");
      }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
