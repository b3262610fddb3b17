// cuda::barrier with a token, and with an asynchronous copy; cuda::pipeline of two stages.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void mirror(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  const int t = threadIdx.x;
  s[t] = x[t];
  auto token = bar.arrive();
  const int mine = t * 2;
  bar.wait(std::move(token));
  x[t] = s[63 - t] + mine;
  bar.arrive_and_wait();
  cuda::memcpy_async(block, s, x, sizeof(int) * 64, bar);
  bar.arrive_and_wait();
  x[t] = s[t] + 1;
}

__global__ void sum_tiles(const float* in, float* out, int tiles) {
  constexpr int stages = 2;
  extern __shared__ float buffer[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int n = block.size();
  float sum = 0;
  for (int read = 0, copied = 0; read < tiles; ++read) {
    for (; copied < tiles && copied < read + stages; ++copied) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer + copied % stages * n, in + copied * n, sizeof(float) * n, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[read % stages * n + (threadIdx.x + 1) % n];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int* x;
  float *in, *out;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&in, 640 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) x[i] = i;
  for (int i = 0; i < 640; ++i) in[i] = i;
  mirror<<<1, 64>>>(x);
  sum_tiles<<<1, 64, 2 * 64 * sizeof(float)>>>(in, out, 10);
  cudaDeviceSynchronize();
  printf("%d %d %d\n%g %g\n", x[0], x[10], x[63], out[0], out[63]);
  cudaFree(x);
  cudaFree(in);
  cudaFree(out);
}
