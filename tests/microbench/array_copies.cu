// What a copy of rows within the device costs in front of a kernel: into a CUDA array, out of one, and between pitched rows.
//   nvcc -O3 -std=c++20 -arch=sm_90 array_copies.cu -o array_copies && ./array_copies
// A graph of copies and kernels one after the other, less one of the kernels alone; microseconds. Each copy takes rows of its own, from
// 256 MiB in turn, so that the L2 holds none of them.
#include <cstdio>

#include "replay.cuh"

__global__ void work(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.0f;
}

int main() {
  char *from, *to, *worked;
  const size_t most = size_t(256) << 20;
  if (!replay_ready() || cudaMalloc(&from, most) != cudaSuccess || cudaMalloc(&to, most) != cudaSuccess || cudaMalloc(&worked, 1 << 20) != cudaSuccess)
    return printf("no GPU\n"), 1;
  cudaMemset(from, 0, most), cudaMemset(worked, 0, 1 << 20);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, array_copies.cu: width and height in floats, us into an array, us out of it, us between rows that are 64 bytes longer\n", p.name);
  const auto kernel = [&] { work<<<1, 32, 0, g_stream>>>((float*)worked, 32); };
  const double alone = replay(false, kernel);
  for (const auto& [w, h] : {std::pair{32, 32}, {256, 64}, {509, 256}, {1024, 256}, {1443, 1024}, {2048, 2048}, {4093, 4096}}) {
    const size_t row = size_t(w) * 4, bytes = row * h, pitched = (row + 64) * h;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    if (cudaMallocArray(&array, &format, w, h) != cudaSuccess) return printf("no array\n"), 1;
    size_t turn = 0;
    const auto next = [&](size_t step) { return turn++ * ((step + 255) / 256 * 256) % (most - step); };
    const double into = replay(false, [&] {
      cudaMemcpy2DToArrayAsync(array, 0, 0, from + next(bytes) / 256 * 256, row, row, h, cudaMemcpyDeviceToDevice, g_stream);
      kernel();
    });
    const double out = replay(false, [&] {
      cudaMemcpy2DFromArrayAsync(to + next(bytes) / 256 * 256, row, array, 0, 0, row, h, cudaMemcpyDeviceToDevice, g_stream);
      kernel();
    });
    const double rows = replay(false, [&] {
      const size_t at = next(pitched) / 256 * 256;
      cudaMemcpy2DAsync(to + at, row + 64, from + at, row + 64, row, h, cudaMemcpyDeviceToDevice, g_stream);
      kernel();
    });
    printf("%d,%d,%.2f,%.2f,%.2f\n", w, h, into - alone, out - alone, rows - alone);
    cudaFreeArray(array);
  }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
