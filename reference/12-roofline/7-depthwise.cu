// Depthwise convolution: a 3 x 3 filter per channel, with a border of zeros. A thread goes down a
// column and keeps the sums of two unfinished outputs in registers.
// Bound by latency and DRAM bandwidth: 18 operations for 8 bytes per element, far left of the
// ridge.
constexpr int threads = 128;
constexpr int down = 8;  // outputs per thread

__global__ void depthwise_kernel(const float* in, const float* filter, float* out, int height,
                                 int width) {
  const int x = blockIdx.x * threads + threadIdx.x;
  const int y0 = blockIdx.y * down;
  const int c = blockIdx.z;
  if (x >= width) return;
  float f[9];
#pragma unroll
  for (int t = 0; t < 9; ++t) f[t] = filter[9 * c + t];
  const float* image = in + size_t(c) * height * width;

  float a = 0.0f;  // the sum of the output above the row just loaded, complete but for this row
  float b = 0.0f;  // of the output in this row, complete but for this row and the next
#pragma unroll
  for (int y = y0 - 1; y <= y0 + down; ++y) {
    const bool inside = y >= 0 && y < height;
    const float* row = image + y * width + x;
    const float left = inside && x > 0 ? row[-1] : 0.0f;
    const float mid = inside ? row[0] : 0.0f;
    const float right = inside && x + 1 < width ? row[1] : 0.0f;
    const float above = a + f[6] * left + f[7] * mid + f[8] * right;
    if (y > y0 && y - 1 < height) out[(size_t(c) * height + y - 1) * width + x] = above;
    a = b + f[3] * left + f[4] * mid + f[5] * right;
    b = f[0] * left + f[1] * mid + f[2] * right;
  }
}

void depthwise(const float* in, const float* filter, float* out, int channels, int height,
               int width) {
  if (channels == 0 || height == 0 || width == 0) return;
  const dim3 grid((width + threads - 1) / threads, (height + down - 1) / down, channels);
  depthwise_kernel<<<grid, threads>>>(in, filter, out, height, width);
}
