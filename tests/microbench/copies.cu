// What a copy within the device (cudaMemcpyAsync, or to a __constant__ symbol) costs in front of a kernel, by its size.
//   nvcc -O3 -std=c++17 -arch=sm_90 copies.cu -o copies && ./copies
// One graph of 64 turns, medians of 40 replays: copy and kernel, less the kernels alone; microseconds. Each turn's copy goes to a place
// of its own; "to a symbol" is 28 bytes that the kernel then reads as constants.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

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
  cudaStream_t s;
  cudaStreamCreate(&s);
  char *from, *to, *worked;
  const size_t most = size_t(256) << 20;
  if (cudaMalloc(&from, most) != cudaSuccess || cudaMalloc(&to, most) != cudaSuccess || cudaMalloc(&worked, size_t(64) << 20) != cudaSuccess)
    return printf("no GPU\n"), 1;
  cudaMemset(from, 0, most), cudaMemset(worked, 0, size_t(64) << 20);
  const auto time = [&](const std::function<void(int)>& turn) {
    constexpr int turns = 64;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    for (int i = 0; i < turns; ++i) turn(i);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    std::vector<float> t;
    for (int r = 0; r < 43; ++r) {
      cudaEventRecord(a, s);
      cudaGraphLaunch(e, s);
      cudaEventRecord(b, s);
      cudaEventSynchronize(b);
      float ms;
      cudaEventElapsedTime(&ms, a, b);
      if (r >= 3) t.push_back(ms * 1e3f / turns);
    }
    std::sort(t.begin(), t.end());
    cudaGraphExecDestroy(e);
    return t[t.size() / 2];
  };
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
          work<<<(n + 255) / 256, std::min(n, 256), 0, s>>>((float*)worked, n);
        else
          weigh<<<(n + 255) / 256, std::min(n, 256), 0, s>>>((float*)worked, n);
      };
      const float alone = time([&](int) { kernel(); });
      const float with = time([&](int i) {
        const size_t at = size_t(i) * std::max<size_t>(bytes, 4096) % most;
        if (bytes)
          cudaMemcpyAsync(to + at, from + at, bytes, cudaMemcpyDeviceToDevice, s);
        else
          cudaMemcpyToSymbolAsync(weights, from + at, 28, 0, cudaMemcpyDeviceToDevice, s);
        kernel();
      });
      printf(",%.2f", with - alone);
    }
    printf("\n");
  }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
