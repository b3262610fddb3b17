// lazy: roofline/7-depthwise
// expect: gate 32 * global_loads <= 7 * n
// Eight outputs per thread, one after the other, and nine loads for each.
constexpr int threads = 128;

__global__ void depthwise_kernel(const float* in, const float* filter, float* out, int height,
                                 int width) {
  const int x = blockIdx.x * threads + threadIdx.x;
  const int c = blockIdx.z;
  if (x >= width) return;
  const float* image = in + size_t(c) * height * width;
  for (int y = 8 * blockIdx.y; y < min(height, 8 * (int(blockIdx.y) + 1)); ++y) {
    float sum = 0.0f;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
          sum += filter[9 * c + 3 * (i + 1) + j + 1] * image[(y + i) * width + x + j];
    out[(size_t(c) * height + y) * width + x] = sum;
  }
}

void depthwise(const float* in, const float* filter, float* out, int channels, int height,
               int width) {
  if (channels == 0 || height == 0 || width == 0) return;
  const dim3 grid((width + threads - 1) / threads, (height + 7) / 8, channels);
  depthwise_kernel<<<grid, threads>>>(in, filter, out, height, width);
}
