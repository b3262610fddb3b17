// What a kernel of one warp adds to a chain of launches, by what the warp does: nothing, a store, a load and a store.
//   nvcc -O3 -std=c++17 -arch=sm_90 tiny.cu -o tiny && ./tiny
// Microseconds a kernel of a graph of 64 that follow one another; loads are of words no kernel has touched since the L2 was
// filled with other data ("DRAM"), or of words that all of them read ("L2").
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void nothing(const int*, int*, int) {}
__global__ void store(const int*, int* out, int i) { out[(blockIdx.x * 64 + i) * 32 + threadIdx.x] = i; }
__global__ void load_store(const int* in, int* out, int i) { out[(blockIdx.x * 64 + i) * 32 + threadIdx.x] = in[i * 4096 + threadIdx.x]; }
__global__ void load_two(const int* in, int* out, int i) {
  const int v = in[i * 4096 + threadIdx.x];
  out[(blockIdx.x * 64 + i) * 32 + threadIdx.x] = in[i * 4096 + 2048 + v + threadIdx.x];
}
__global__ void load_four(const int* in, int* out, int i) {
  int v = in[i * 4096 + threadIdx.x];
  for (int k = 1; k < 4; ++k) v = in[i * 4096 + k * 1024 + v + threadIdx.x];
  out[(blockIdx.x * 64 + i) * 32 + threadIdx.x] = v;
}
__global__ void load_only(const int* in, int* out, int i) {
  if (in[i * 4096 + threadIdx.x] == 5) out[0] = 1;
}
__global__ void fill(int* p, size_t n) {
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) p[i] = p[i] * 3 + 1;
}

using Kernel = void (*)(const int*, int*, int);

int main() {
  int *in, *out, *other;
  const size_t others = size_t(64) << 20;
  cudaMalloc((void**)&in, 64 * 4096 * 4 + 4096), cudaMalloc((void**)&out, 4 << 20), cudaMalloc((void**)&other, others * 4);
  cudaMemset(in, 0, 64 * 4096 * 4 + 4096), cudaMemset(out, 0, 4 << 20), cudaMemset(other, 0, others * 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  const struct { const char* name; Kernel f; } kernels[] = {
      {"nothing", nothing}, {"store", store}, {"load", load_only}, {"load, store", load_store}, {"2 loads, store", load_two}, {"4 loads, store", load_four}};
  for (bool cold : {true, false})
    for (int blocks : {1, 2, 4, 8, 16, 32, 64, 132, 264})
      for (auto k : kernels) {
        cudaGraph_t g;
        cudaGraphExec_t e;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
        for (int i = 0; i < 64; ++i) k.f<<<blocks, 32, 0, s>>>(in, out, cold ? i : 0);
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&e, g, 0);
        std::vector<float> t;
        for (int r = 0; r < 23; ++r) {
          if (cold) fill<<<1056, 256, 0, s>>>(other, others);
          cudaEventRecord(a, s);
          cudaGraphLaunch(e, s);
          cudaEventRecord(b, s);
          cudaEventSynchronize(b);
          float ms;
          cudaEventElapsedTime(&ms, a, b);
          if (r >= 3) t.push_back(ms * 1e3f / 64);
        }
        std::sort(t.begin(), t.end());
        std::printf("%-4s %3d blocks, %-16s %6.3f us\n", cold ? "DRAM" : "L2", blocks, k.name, t[t.size() / 2]);
      }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
