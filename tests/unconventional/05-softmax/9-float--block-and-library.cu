// unconventional: softmax/9-float
// A block per row; cub::BlockReduce finds maximum and sum.
#include <cub/block/block_reduce.cuh>
template <int N>
struct alignas(4 * N) Vec {
  float v[N];
};
template <int N, int Threads>
__global__ void __launch_bounds__(Threads)
    rows_of(const float* __restrict__ x, float* __restrict__ y, int cols) {
  using Reduce = cub::BlockReduce<float, Threads>;
  __shared__ typename Reduce::TempStorage room;
  __shared__ float shared_m, shared_s;
  constexpr int per = 1024 / Threads / N > 0 ? 1024 / Threads / N : 1;
  const auto* in = reinterpret_cast<const Vec<N>*>(x + size_t(blockIdx.x) * cols);
  auto* out = reinterpret_cast<Vec<N>*>(y + size_t(blockIdx.x) * cols);
  Vec<N> r[per];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < per; ++i) {
    int p = threadIdx.x + i * Threads;
    if (p < cols / N) {
      r[i] = in[p];
#pragma unroll
      for (int k = 0; k < N; ++k) m = fmaxf(m, r[i].v[k]);
    }
  }
  struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
  };
  m = Reduce(room).Reduce(m, Max{});
  if (threadIdx.x == 0) shared_m = m;
  __syncthreads();
  m = shared_m;
  float s = 0;
#pragma unroll
  for (int i = 0; i < per; ++i)
    if (threadIdx.x + i * Threads < cols / N)
#pragma unroll
      for (int k = 0; k < N; ++k) s += r[i].v[k] = __expf(r[i].v[k] - m);
  s = Reduce(room).Sum(s);
  if (threadIdx.x == 0) shared_s = 1.0f / s;
  __syncthreads();
  s = shared_s;
#pragma unroll
  for (int i = 0; i < per; ++i) {
    int p = threadIdx.x + i * Threads;
    if (p >= cols / N) continue;
#pragma unroll
    for (int k = 0; k < N; ++k) r[i].v[k] *= s;
    out[p] = r[i];
  }
}
void softmax(const float* x, float* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 4 == 0)
    rows_of<4, 128><<<rows, 128>>>(x, y, cols);
  else
    rows_of<1, 128><<<rows, 128>>>(x, y, cols);
}
