// unconventional: roofline/6-batch-norm
// Mean and variance are updated per element (Welford), and merged by shuffles.
constexpr int threads = 256;
struct Moments {
  float n = 0, mean = 0, m2 = 0;
  __device__ void add(float x) {
    n += 1;
    const float d = x - mean;
    mean += d / n;
    m2 += d * (x - mean);
  }
  __device__ void merge(Moments o) {
    const float all = n + o.n;
    if (all == 0) return;
    const float d = o.mean - mean;
    mean += d * o.n / all;
    m2 += o.m2 + d * d * n * o.n / all;
    n = all;
  }
};
__device__ Moments from(Moments m, int d) {
  Moments o;
  o.n = __shfl_down_sync(~0u, m.n, d);
  o.mean = __shfl_down_sync(~0u, m.mean, d);
  o.m2 = __shfl_down_sync(~0u, m.m2, d);
  return o;
}
__global__ void statistics(const float* x, const float* gamma, const float* beta, float2* stats,
                           int images, int channels, int pixels) {
  __shared__ float s[3][threads / 32];
  const int c = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Moments m;
  for (int image = 0; image < images; ++image)
    for (int p = threadIdx.x; p < pixels; p += threads)
      m.add(x[(size_t(image) * channels + c) * pixels + p]);
  for (int d = 16; d; d /= 2) m.merge(from(m, d));
  if (lane == 0) {
    s[0][warp] = m.n;
    s[1][warp] = m.mean;
    s[2][warp] = m.m2;
  }
  __syncthreads();
  if (threadIdx.x) return;
  for (int w = 1; w < threads / 32; ++w) {
    Moments o;
    o.n = s[0][w];
    o.mean = s[1][w];
    o.m2 = s[2][w];
    m.merge(o);
  }
  const float scale = gamma[c] * rsqrtf(m.m2 / m.n + 1e-5f);
  stats[c] = {scale, beta[c] - m.mean * scale};
}
__global__ void normalise(const float* x, const float2* stats, float* y, int channels, int pixels,
                          int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float2 s = __ldg(stats + i / pixels % channels);
  y[i] = fmaf(s.x, x[i], s.y);
}
void batch_norm(const float* x, const float* gamma, const float* beta, float2* stats, float* y,
                int images, int channels, int pixels) {
  const int n = images * channels * pixels;
  if (!n) return;
  statistics<<<channels, threads>>>(x, gamma, beta, stats, images, channels, pixels);
  normalise<<<(n + threads - 1) / threads, threads>>>(x, stats, y, channels, pixels, n);
}
