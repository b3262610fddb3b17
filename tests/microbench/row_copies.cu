// What one cudaMemcpy2DAsync costs by the width of its rows: within the device, and over the link from and to pinned memory.
//   nvcc -O3 -std=c++20 -arch=sm_90 row_copies.cu -o row_copies && ./row_copies
// Microseconds. Within the device: a graph of copies and kernels one after the other, less one of the kernels alone. Over the link: the
// least of 20 copies and waits by the host's clock, less the least of a copy of 4 bytes.
#include <chrono>
#include <cstdio>

#include "replay.cuh"

__global__ void work(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.0f;
}

static double least(const std::function<void()>& copy) {
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    cudaStreamSynchronize(g_stream);
    const auto t0 = std::chrono::steady_clock::now();
    copy();
    cudaStreamSynchronize(g_stream);
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t0).count());
  }
  return best;
}

int main() {
  char *from, *to, *worked, *pinned;
  const size_t most = size_t(512) << 20;
  if (!replay_ready() || cudaMalloc(&from, most) != cudaSuccess || cudaMalloc(&to, most) != cudaSuccess || cudaMalloc(&worked, 1 << 20) != cudaSuccess ||
      cudaMallocHost(&pinned, most) != cudaSuccess)
    return printf("no GPU\n"), 1;
  cudaMemset(from, 0, most), cudaMemset(worked, 0, 1 << 20);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, row_copies.cu: bytes per row, rows, distance of the rows; us from strided to strided rows, to dense ones, from dense ones, up to "
         "strided, down from strided\n",
         p.name);
  const auto kernel = [&] { work<<<1, 32, 0, g_stream>>>((float*)worked, 32); };
  const double alone = replay(false, kernel);
  const double up4 = least([&] { cudaMemcpyAsync(to, pinned, 4, cudaMemcpyHostToDevice, g_stream); });
  const double down4 = least([&] { cudaMemcpyAsync(pinned, from, 4, cudaMemcpyDeviceToHost, g_stream); });
  for (const size_t rows : {256, 4096, 65536})
    for (const size_t width : {1, 4, 8, 16, 32, 64, 128, 512, 2048})
      for (const size_t pitch : {width + 12, size_t(4096)}) {
        if (pitch < width || rows * pitch > most || (rows == 65536 && width > 512)) continue;
        const auto pass = [&](char* d, size_t dp, const char* s, size_t sp) {
          return replay(false, [&] {
            cudaMemcpy2DAsync(d, dp, s, sp, width, rows, cudaMemcpyDeviceToDevice, g_stream);
            kernel();
          }) - alone;
        };
        const double both = pass(to, pitch, from, pitch), dense = pass(to, width, from, pitch), spread = pass(to, pitch, from, width);
        const double up = least([&] { cudaMemcpy2DAsync(to, pitch, pinned, width, width, rows, cudaMemcpyHostToDevice, g_stream); }) - up4;
        const double down = least([&] { cudaMemcpy2DAsync(pinned, width, from, pitch, width, rows, cudaMemcpyDeviceToHost, g_stream); }) - down4;
        printf("%zu,%zu,%zu,%.2f,%.2f,%.2f,%.2f,%.2f\n", width, rows, pitch, both, dense, spread, up, down);
      }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
