// Batch normalisation in three launches: mean, deviation, result. x is read three times.
constexpr int threads = 256;
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

// TODO: one block per channel, one pass over x: sum and sum of squares of x - near, where near is
// the channel's first element. Store scale and shift, such that y = scale * x + shift.
__global__ void mean_kernel(const float* x, float2* stats, int images, int channels, int pixels) {
  const int c = blockIdx.x;
  float sum = 0.0f;
  for (int image = 0; image < images; ++image)
    for (int p = threadIdx.x; p < pixels; p += threads)
      sum += x[(image * channels + c) * pixels + p];
  sum = block_sum(sum);
  if (threadIdx.x == 0) stats[c].x = sum / (float(images) * pixels);
}

__global__ void deviation_kernel(const float* x, float2* stats, int images, int channels,
                                 int pixels) {
  const int c = blockIdx.x;
  const float mean = stats[c].x;
  float squares = 0.0f;
  for (int image = 0; image < images; ++image)
    for (int p = threadIdx.x; p < pixels; p += threads) {
      const float d = x[(image * channels + c) * pixels + p] - mean;
      squares += d * d;
    }
  squares = block_sum(squares);
  if (threadIdx.x == 0) stats[c].y = sqrtf(squares / (float(images) * pixels) + epsilon);
}

__global__ void normalise(const float* x, const float* gamma, const float* beta,
                          const float2* stats, float* y, int n, int channels, int pixels) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int c = i / pixels % channels;
  y[i] = (x[i] - stats[c].x) / stats[c].y * gamma[c] + beta[c];
}

void batch_norm(const float* x, const float* gamma, const float* beta, float2* stats, float* y,
                int images, int channels, int pixels) {
  const int n = images * channels * pixels;
  if (n == 0) return;
  mean_kernel<<<channels, threads>>>(x, stats, images, channels, pixels);
  deviation_kernel<<<channels, threads>>>(x, stats, images, channels, pixels);
  normalise<<<(n + threads - 1) / threads, threads>>>(x, gamma, beta, stats, y, n, channels,
                                                      pixels);
}
