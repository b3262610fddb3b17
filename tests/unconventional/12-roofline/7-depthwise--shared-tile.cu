// unconventional: roofline/7-depthwise
// A tile with its border in shared memory: fewer than two loads per output, from any direction.
constexpr int wide = 32;
constexpr int high = 32;
constexpr int threads = 256;

__global__ void depthwise_kernel(const float* in, const float* filter, float* out, int height,
                                 int width) {
  __shared__ float tile[high + 2][wide + 2];
  __shared__ float f[9];
  const int x0 = blockIdx.x * wide, y0 = blockIdx.y * high, c = blockIdx.z;
  const float* image = in + size_t(c) * height * width;
  for (int t = threadIdx.x; t < (high + 2) * (wide + 2); t += threads) {
    const int y = y0 - 1 + t / (wide + 2), x = x0 - 1 + t % (wide + 2);
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    tile[t / (wide + 2)][t % (wide + 2)] = inside ? image[y * width + x] : 0.0f;
  }
  if (threadIdx.x < 9) f[threadIdx.x] = filter[9 * c + threadIdx.x];
  __syncthreads();
  const int tx = threadIdx.x % wide;
  for (int ty = threadIdx.x / wide; ty < high; ty += threads / wide) {
    if (x0 + tx >= width || y0 + ty >= height) continue;
    float sum = 0.0f;
#pragma unroll
    for (int t = 0; t < 9; ++t) sum += f[t] * tile[ty + t / 3][tx + t % 3];
    out[(size_t(c) * height + y0 + ty) * width + x0 + tx] = sum;
  }
}

void depthwise(const float* in, const float* filter, float* out, int channels, int height,
               int width) {
  if (channels == 0 || height == 0 || width == 0) return;
  const dim3 grid((width + wide - 1) / wide, (height + high - 1) / high, channels);
  depthwise_kernel<<<grid, threads>>>(in, filter, out, height, width);
}
