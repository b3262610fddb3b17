// What a copy within the device (cudaMemcpyAsync, or to a __constant__ symbol) costs in front of a kernel, by its size.
//   nvcc -O3 -std=c++17 -arch=sm_90 copies.cu -o copies && ./copies
// A graph of copies and kernels in turn, less one of the kernels alone; microseconds. (Recorded with 64 turns and 40 replays, where
// replay.cuh has 32 and 20.) Each turn's copy goes to a place of its own; "to a symbol" is 28 bytes that the kernel then reads as constants.
#include <cstdio>

#include "replay.cuh"

__constant__ float weights[7];

__global__ void work(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.0f;
}
__global__ void weigh(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += weights[0] + weights[6];
}

int main() {
  char *from, *to, *worked;
  const size_t most = size_t(256) << 20;
  if (!replay_ready() || cudaMalloc(&from, most) != cudaSuccess || cudaMalloc(&to, most) != cudaSuccess || cudaMalloc(&worked, size_t(64) << 20) != cudaSuccess)
    return printf("no GPU\n"), 1;
  cudaMemset(from, 0, most), cudaMemset(worked, 0, size_t(64) << 20);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, copies.cu: bytes, us that a copy adds to a kernel of 32 threads, to one of 2^18, to one of 2^22 threads\n", p.name);
  for (size_t bytes : {0, 4, 28, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20}) {
    if (bytes)
      printf("%zu", bytes);
    else
      printf("28 to a symbol");
    for (int n : {32, 1 << 18, 1 << 22}) {
      const auto kernel = [&] {
        if (bytes)
          work<<<(n + 255) / 256, std::min(n, 256), 0, g_stream>>>((float*)worked, n);
        else
          weigh<<<(n + 255) / 256, std::min(n, 256), 0, g_stream>>>((float*)worked, n);
      };
      const double alone = replay(false, kernel);
      size_t turn = 0;
      const double with = replay(false, [&] {
        const size_t at = turn++ * std::max<size_t>(bytes, 4096) % most;
        if (bytes)
          cudaMemcpyAsync(to + at, from + at, bytes, cudaMemcpyDeviceToDevice, g_stream);
        else
          cudaMemcpyToSymbolAsync(weights, from + at, 28, 0, cudaMemcpyDeviceToDevice, g_stream);
        kernel();
      });
      printf(",%.2f", with - alone);
    }
    printf("\n");
  }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
