// unconventional: roofline/6-batch-norm
// One launch: a block keeps its channel in registers between statistics and result, where it fits.
// So x is read once, and the variance needs no trick.
constexpr int threads = 256;
constexpr int kept = 16;  // elements per thread in registers
constexpr float epsilon = 1e-5f;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < threads / 32; ++w) sum += s[w];
  return sum;
}

__global__ void in_registers(const float* x, const float* gamma, const float* beta, float* y,
                             int channels, int pixels, int count) {
  const int c = blockIdx.x;
  const auto place = [&](int k) { return (k / pixels * channels + c) * pixels + k % pixels; };
  float v[kept];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kept; ++k) {
    const int at = threadIdx.x + k * threads;
    v[k] = at < count ? x[place(at)] : 0.0f;
    sum += v[k];
  }
  const float mean = block_sum(sum) / count;
  float squares = 0.0f;
#pragma unroll
  for (int k = 0; k < kept; ++k)
    if (threadIdx.x + k * threads < count) squares += (v[k] - mean) * (v[k] - mean);
  const float scale = gamma[c] * rsqrtf(block_sum(squares) / count + epsilon);
#pragma unroll
  for (int k = 0; k < kept; ++k)
    if (const int at = threadIdx.x + k * threads; at < count)
      y[place(at)] = (v[k] - mean) * scale + beta[c];
}

__global__ void in_passes(const float* x, const float* gamma, const float* beta, float* y,
                          int channels, int pixels, int count) {
  const int c = blockIdx.x;
  const auto place = [&](int k) { return (k / pixels * channels + c) * pixels + k % pixels; };
  float sum = 0.0f, squares = 0.0f;
  for (int k = threadIdx.x; k < count; k += threads) sum += x[place(k)];
  const float mean = block_sum(sum) / count;
  for (int k = threadIdx.x; k < count; k += threads)
    squares += (x[place(k)] - mean) * (x[place(k)] - mean);
  const float scale = gamma[c] * rsqrtf(block_sum(squares) / count + epsilon);
  for (int k = threadIdx.x; k < count; k += threads)
    y[place(k)] = (x[place(k)] - mean) * scale + beta[c];
}

void batch_norm(const float* x, const float* gamma, const float* beta, float2* stats, float* y,
                int images, int channels, int pixels) {
  const int count = images * pixels;
  if (count == 0 || channels == 0) return;
  if (count <= kept * threads)
    in_registers<<<channels, threads>>>(x, gamma, beta, y, channels, pixels, count);
  else
    in_passes<<<channels, threads>>>(x, gamma, beta, y, channels, pixels, count);
}
