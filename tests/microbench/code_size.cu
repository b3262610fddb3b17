// What long code costs: straight lines of independent multiply-adds, 16 bytes each, walked through once (cold) and again
// (warm), by one warp and by many. Run: nvcc -O3 -std=c++17 -arch=sm_90 code_size.cu
#include <cstdio>
#include <cuda_runtime.h>

template <int kLines> __global__ void straight(long long* cycles, float* sink, int times) {
  float x[16];
  for (int j = 0; j < 16; ++j) x[j] = threadIdx.x + j;
  const float k = sink[0];
  for (int t = 0; t < times; ++t) {
    __syncthreads();
    const long long start = clock64();
#pragma unroll
    for (int i = 0; i < kLines / 16; ++i)
#pragma unroll
      for (int j = 0; j < 16; ++j) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[j]) : "f"(k));
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x * times + t] = clock64() - start;
  }
  float sum = 0;
  for (int j = 0; j < 16; ++j) sum += x[j];
  sink[1 + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int kLines> static void walk(long long* cycles, float* sink, int sms) {
  const int times = 8, warp_counts[] = {1, 4, 16, 32};
  static long long host[1024 * times];
  for (int warps : warp_counts) {
    // Another kernel's code first, so that this one starts cold.
    straight<kLines == 64 ? 128 : 64><<<sms, 32>>>(cycles, sink, times);
    straight<kLines><<<sms, 32 * warps>>>(cycles, sink, times);
    if (cudaMemcpy(host, cycles, sizeof(long long) * times * sms, cudaMemcpyDeviceToHost) != cudaSuccess) {
      printf("failed\n");
      return;
    }
    double first = 0, later = 0;
    for (int b = 0; b < sms; ++b) first += double(host[b * times]), later += double(host[b * times + times - 1]);
    printf("%6d KiB, %2d warps  first %8.3f  later %8.3f cycles/instruction and warp\n", kLines * 16 / 1024, warps,
           first / sms / kLines, later / sms / kLines);
  }
}

int main() {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  long long* cycles;
  float* sink;
  cudaMalloc((void**)&cycles, 1 << 20);
  cudaMalloc((void**)&sink, 1 << 22);
  cudaMemset(sink, 0, 1 << 22);
  walk<64>(cycles, sink, sms);
  walk<256>(cycles, sink, sms);
  walk<512>(cycles, sink, sms);
  walk<1024>(cycles, sink, sms);
  walk<2048>(cycles, sink, sms);
  walk<4096>(cycles, sink, sms);
  walk<6144>(cycles, sink, sms);
  walk<8192>(cycles, sink, sms);
  walk<12288>(cycles, sink, sms);
  walk<16384>(cycles, sink, sms);
  return 0;
}
