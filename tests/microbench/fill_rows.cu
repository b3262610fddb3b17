// What one cudaMemset2DAsync adds to a kernel, by the width and the number of its rows; and what a fill per row does.
//   nvcc -O3 -std=c++20 -arch=sm_90 fill_rows.cu -o fill_rows && ./fill_rows
// Microseconds, medians: a graph of fills and kernels one after the other, less one of the kernels alone.
#include <cstdio>

#include "replay.cuh"

__global__ void work(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.0f;
}

int main() {
  char *to, *worked;
  const size_t most = size_t(1) << 30;
  if (!replay_ready() || cudaMalloc(&to, most) != cudaSuccess || cudaMalloc(&worked, 1 << 20) != cudaSuccess) return printf("no GPU\n"), 1;
  cudaMemset(to, 0, most), cudaMemset(worked, 0, 1 << 20);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, fill_rows.cu: bytes per row, rows, distance of the rows; us of one fill of rows, of one fill of as many consecutive bytes, of a fill per row\n", p.name);
  const auto kernel = [&] { work<<<1, 32, 0, g_stream>>>((float*)worked, 32); };
  const double alone = replay(false, kernel);
  const auto after = [&](const std::function<void()>& fill) { return replay(false, [&] { fill(); kernel(); }) - alone; };
  const auto row = [&](size_t width, size_t rows, size_t pitch) {
    const double one = after([&] { cudaMemset2DAsync(to, pitch, 0, width, rows, g_stream); });
    const double dense = after([&] { cudaMemsetAsync(to, 0, width * rows, g_stream); });
    const double each = rows != 100 && rows != 300 && rows > 16 ? 0 : after([&] { for (size_t y = 0; y < rows; ++y) cudaMemsetAsync(to + y * pitch, 0, width, g_stream); });
    printf("%zu,%zu,%zu,%.2f,%.2f,%.2f\n", width, rows, pitch, one, dense, each);
    fflush(stdout);
  };
  row(1024, 300, 1536), row(16, 10000, 512), row(65536, 100, 66048), row(3996, 300, 4096), row(4000, 300, 4096);
  for (const size_t rows : {2, 16, 256, 4096, 65536})
    for (const size_t width : {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536})
      for (const size_t pitch : {(width + 527) / 512 * 512, width + 3})
        if (rows * pitch <= most) row(width, rows, pitch);
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
