// unconventional: textures/1-constant
struct Filter {
  float4 a, b;
  float c;
};
__constant__ Filter filter;

template <int rows>
__global__ void blur_kernel(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const auto pixel = [=](int dx, int y) {
    return in[min(max(y, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
  };
  if (x >= w) return;
  const Filter f = filter;
  for (int y = blockIdx.y * rows; y < min(int(blockIdx.y * rows + rows), h); ++y)
    out[y * w + x] = f.a.x * pixel(-1, y - 1) + f.a.y * pixel(0, y - 1) + f.a.z * pixel(1, y - 1) +
                     f.a.w * pixel(-1, y) + f.b.x * pixel(0, y) + f.b.y * pixel(1, y) +
                     f.b.z * pixel(-1, y + 1) + f.b.w * pixel(0, y + 1) + f.c * pixel(1, y + 1);
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, 9 * sizeof(float));
  blur_kernel<2><<<dim3((w + 63) / 64, (h + 1) / 2), 64>>>(in, out, w, h);
}
