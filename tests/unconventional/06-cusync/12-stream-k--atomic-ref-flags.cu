// unconventional: cusync/12-stream-k
// Parts of sums are passed on by releasing stores and acquiring loads.
#include <cuda/atomic>
constexpr int tile = 4, threads = tile * tile, depth = 4, most_blocks = 1024;

__device__ float partial[most_blocks][threads];
__device__ unsigned ready[most_blocks];
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

struct Range {
  int begin, end;
};
__host__ __device__ inline Range share(int total, int parts, int p) {
  const int each = total / parts, rest = total % parts;  // the first `rest` get one more
  const int begin = p * each + (p < rest ? p : rest);
  return {begin, begin + each + (p < rest)};
}

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int steps = k / depth, across = n / tile, total = across * (m / tile) * steps;
  const auto [begin, end] = share(total, gridDim.x, blockIdx.x);
  const int i = threadIdx.x / tile, j = threadIdx.x % tile;
  for (int at = begin; at < end;) {
    const int which = at / steps, first = at - which * steps, last = min(steps, first + end - at);
    const int row = which / across * tile + i, column = which % across * tile + j;
    float sum = 0.f;
#pragma unroll 1
    for (int x = first * depth; x < last * depth; ++x)
      sum = fmaf(a[row * k + x], b[x * n + column], sum);
    if (first > 0) {
      partial[blockIdx.x][threadIdx.x] = sum;
      __syncthreads();
      if (threadIdx.x == 0) Flag(ready[blockIdx.x]).store(1u, cuda::memory_order_release);
    } else {
      for (int other = blockIdx.x + 1, done = at + last; done < (which + 1) * steps; ++other) {
        if (threadIdx.x == 0) {
          while (Flag(ready[other]).load(cuda::memory_order_acquire) == 0) {
          }
          Flag(ready[other]).store(0u, cuda::memory_order_relaxed);
        }
        __syncthreads();
        sum += partial[other][threadIdx.x];
        done = share(total, gridDim.x, other).end;
      }
      c[row * n + column] = sum;
    }
    at += last - first;
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    cudaMemset(c, 0, sizeof(float) * m * n);
    return;
  }
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int steps = (m / tile) * (n / tile) * (k / depth);
  gemm<<<min(min(sms, most_blocks), steps), threads>>>(a, b, c, m, n, k);
}
