// What a fill (cudaMemset) costs between two kernels, by its size. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 fills.cu -o fills && ./fills
// One graph of 64 turns, medians of 40 replays: kernel and fill, less the kernels alone. Small fills go another way than large
// ones, and the kernel behind them starts later.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

__global__ void work(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1.0f;
}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  char *filled, *worked;
  if (cudaMalloc(&filled, size_t(512) << 20) != cudaSuccess || cudaMalloc(&worked, size_t(64) << 20) != cudaSuccess) return printf("no GPU\n"), 1;
  cudaMemset(worked, 0, size_t(64) << 20);
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
  printf("# %s, fills.cu: bytes, us that a fill adds to a kernel of 32 threads, to one of 2^18, to one of 2^22 threads\n", p.name);
  for (size_t bytes : {4, 64, 256, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152, 65536, 131072, 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20}) {
    printf("%zu", bytes);
    for (int n : {32, 1 << 18, 1 << 22}) {
      const auto kernel = [&] { work<<<(n + 255) / 256, std::min(n, 256), 0, s>>>((float*)worked, n); };
      const float alone = time([&](int) { kernel(); });
      const float with = time([&](int i) {
        cudaMemsetAsync(filled + size_t(i) * std::max<size_t>(bytes, 4096) % (size_t(448) << 20), 0, bytes, s);
        kernel();
      });
      printf(",%.2f", with - alone);
    }
    printf("\n");
  }
}
