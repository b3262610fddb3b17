// lazy: roofline/6-batch-norm
// expect: gate time_us <= 1.4 * reference(self)
// The right bytes, in blocks of one warp: too few loads are in flight.
constexpr int threads = 32;
constexpr float epsilon = 1e-5f;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  __syncthreads();  // the words may be in use by the call before
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < threads / 32; ++w) sum += s[w];
  return sum;
}

// One block per channel: its scale and shift, such that y = scale * x + shift.
__global__ void statistics(const float* x, const float* gamma, const float* beta, float2* stats,
                           int images, int channels, int pixels) {
  const int c = blockIdx.x;
  const float near = x[c * pixels];  // squares of x - near are small, so their sum keeps its digits
  float sum = 0.0f;
  float squares = 0.0f;
  for (int image = 0; image < images; ++image)
    for (int p = threadIdx.x; p < pixels; p += threads) {
      const float d = x[(image * channels + c) * pixels + p] - near;
      sum += d;
      squares += d * d;
    }
  sum = block_sum(sum);
  squares = block_sum(squares);
  if (threadIdx.x > 0) return;
  const float count = float(images) * pixels;
  const float mean = sum / count;
  const float scale = gamma[c] * rsqrtf(squares / count - mean * mean + epsilon);
  stats[c] = make_float2(scale, beta[c] - (near + mean) * scale);
}

__global__ void normalise(const float* x, const float2* stats, float* y, int n, int channels,
                          int pixels) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float2 s = stats[i / pixels % channels];
  y[i] = s.x * x[i] + s.y;
}

void batch_norm(const float* x, const float* gamma, const float* beta, float2* stats, float* y,
                int images, int channels, int pixels) {
  const int n = images * channels * pixels;
  if (n == 0) return;
  statistics<<<channels, threads>>>(x, gamma, beta, stats, images, channels, pixels);
  normalise<<<(n + threads - 1) / threads, threads>>>(x, stats, y, n, channels, pixels);
}
