// unconventional: roofline/6-batch-norm
// A block keeps its channel in shared memory: one launch, and x is read once.
#include <cub/block/block_reduce.cuh>
constexpr int T = 256, most = 11000;
__global__ void __launch_bounds__(T) whole_channel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ y, int images, int channels, int pixels) {
  extern __shared__ float kept[];
  using R = cub::BlockReduce<float, T>;
  __shared__ typename R::TempStorage t;
  __shared__ float word;
  const int c = blockIdx.x, n = images * pixels;
  const bool keep = n <= most;
  auto at = [=](int i) { return size_t(i / pixels * channels + c) * pixels + i % pixels; };
  auto all = [&](float v) {
    v = R(t).Sum(v);
    if (threadIdx.x == 0) word = v;
    __syncthreads();
    const float r = word;
    __syncthreads();
    return r;
  };
  float s = 0;
  for (int i = threadIdx.x; i < n; i += T) {
    const float v = x[at(i)];
    if (keep) kept[i] = v;
    s += v;
  }
  const float mean = all(s) / n;
  float q = 0;
  for (int i = threadIdx.x; i < n; i += T) {
    const float d = (keep ? kept[i] : x[at(i)]) - mean;
    q = fmaf(d, d, q);
  }
  const float a = gamma[c] * rsqrtf(all(q) / n + 1e-5f), b = fmaf(-mean, a, beta[c]);
  for (int i = threadIdx.x; i < n; i += T) y[at(i)] = fmaf(a, keep ? kept[i] : x[at(i)], b);
}
void batch_norm(const float* x, const float* gamma, const float* beta, float2*, float* y, int images, int channels, int pixels) {
  const int n = images * pixels;
  if (n * channels) whole_channel<<<channels, T, n <= most ? n * sizeof(float) : 0>>>(x, gamma, beta, y, images, channels, pixels);
}
