// Depthwise convolution: a 3 x 3 filter per channel, with a border of zeros. A thread makes one
// output from nine loads.
constexpr int threads = 128;

// TODO: a thread makes 8 outputs of a column, one below the other. Each row's three elements are
// loaded once, and go into the sums of three outputs.
__global__ void depthwise_kernel(const float* in, const float* filter, float* out, int height,
                                 int width) {
  const int x = blockIdx.x * threads + threadIdx.x;
  const int y = blockIdx.y;
  const int c = blockIdx.z;
  if (x >= width) return;
  const float* image = in + size_t(c) * height * width;
  float sum = 0.0f;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
        sum += filter[9 * c + 3 * (i + 1) + j + 1] * image[(y + i) * width + x + j];
  out[(size_t(c) * height + y) * width + x] = sum;
}

void depthwise(const float* in, const float* filter, float* out, int channels, int height,
               int width) {
  if (channels == 0 || height == 0 || width == 0) return;
  const dim3 grid((width + threads - 1) / threads, height, channels);
  depthwise_kernel<<<grid, threads>>>(in, filter, out, height, width);
}
