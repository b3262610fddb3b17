// What the pattern of a last block costs behind reading: a sum whose blocks store a partial sum, fence, count and fence again,
// and the same without some of that. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 last_block.cu -o last_block && ./last_block
// Times are of one graph over rotated buffers larger than the L2; cycles are medians over blocks, of the first thread.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

enum Part { kStore = 0, kFence = 1, kCount = 2, kAgain = 4, kWait = 8, kFinish = 16, kAll = 31 };

template <int PARTS> __device__ bool counted_last(float v, float* partials, unsigned* done, int* cycles) {
  const long long a = clock64();
  partials[blockIdx.x] = v;
  if (PARTS & kFence) __threadfence();
  const long long b = clock64();
  unsigned old = 0;
  if (PARTS & kCount) old = atomicInc(done, gridDim.x - 1);
  if (old == 0xfffffff0u) partials[0] = 1;  // waits for the counter
  const long long c = clock64();
  if (PARTS & kAgain) __threadfence();
  const long long d = clock64();
  int* mine = cycles + blockIdx.x * 3;
  mine[0] = int(b - a), mine[1] = int(c - b), mine[2] = int(d - c);
  return old == gridDim.x - 1;
}

template <int PARTS> __global__ void sum(const float4* in, float* partials, unsigned* done, int* cycles, int n) {
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n / 4; i += gridDim.x * 256) {
    const float4 x = in[i];
    v += (x.x + x.y) + (x.z + x.w);
  }
  __shared__ float words[8];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  __shared__ bool last;
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) v += words[w];
    last = counted_last<PARTS>(v, partials, done, cycles);
  }
  if (!(PARTS & kWait)) return;
  __syncthreads();  // all threads learn of it
  if (!(PARTS & kFinish) || !last) return;
  v = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) v += partials[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) partials[gridDim.x + threadIdx.x / 32] = v;
}

template <int PARTS> void run(const char* name, const float* data, int sets, int n, int grid, float* partials, unsigned* done, int* cycles) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t g;
  cudaGraphExec_t e;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  for (int i = 0; i < sets; ++i) sum<PARTS><<<grid, 256, 0, s>>>((const float4*)(data + size_t(i) * n), partials, done, cycles, n);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&e, g, 0);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<float> t;
  for (int r = 0; r < 33; ++r) {
    cudaEventRecord(a, s);
    cudaGraphLaunch(e, s);
    cudaEventRecord(b, s);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    if (r >= 3) t.push_back(ms * 1e3f / sets);
  }
  std::sort(t.begin(), t.end());
  std::vector<int> host(grid * 3);
  cudaMemcpy(host.data(), cycles, host.size() * 4, cudaMemcpyDeviceToHost);
  int median[3];
  for (int k = 0; k < 3; ++k) {
    std::vector<int> v;
    for (int i = 0; i < grid; ++i) v.push_back(host[i * 3 + k]);
    std::sort(v.begin(), v.end());
    median[k] = v[grid / 2];
  }
  printf("%d,%d,%s,%.2f,%d,%d,%d\n", n, grid, name, t[t.size() / 2], median[0], median[1], median[2]);
}

int main() {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return printf("no GPU\n"), 1;
  printf("# %s, last_block.cu: floats, blocks, parts, us, cycles of store and fence, of counting, of the second fence\n", p.name);
  float *data, *partials;
  unsigned* done;
  int* cycles;
  const size_t bytes = size_t(512) << 20;
  cudaMalloc(&data, bytes), cudaMalloc(&partials, 1 << 20), cudaMalloc(&done, 256), cudaMalloc(&cycles, 32768 * 12);
  cudaMemset(data, 0, bytes), cudaMemset(done, 0, 256);
  for (int n : {1 << 20, 1 << 22, 3 << 22, 1 << 25})
    for (int grid : {132, 1056, 2048, 4096, 12288, 32768}) {
      if (grid > n / 1024) continue;
      const int sets = int(std::min<size_t>(64, bytes / (size_t(n) * 4)));
      run<kStore>("store", data, sets, n, grid, partials, done, cycles);
      run<kFence>("store fence", data, sets, n, grid, partials, done, cycles);
      run<kCount>("store count", data, sets, n, grid, partials, done, cycles);
      run<kFence | kCount>("store fence count", data, sets, n, grid, partials, done, cycles);
      run<kFence | kCount | kAgain>("store fence count fence", data, sets, n, grid, partials, done, cycles);
      run<kStore | kWait>("store wait", data, sets, n, grid, partials, done, cycles);
      run<kFence | kWait>("store fence wait", data, sets, n, grid, partials, done, cycles);
      run<kCount | kWait>("store count wait", data, sets, n, grid, partials, done, cycles);
      run<kAll - kFinish>("store fence count fence wait", data, sets, n, grid, partials, done, cycles);
      run<kAll>("store fence count fence wait finish", data, sets, n, grid, partials, done, cycles);
    }
}
