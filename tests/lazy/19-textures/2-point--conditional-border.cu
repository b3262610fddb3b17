// lazy: textures/2-point
// expect: gate ptx(min) + ptx(max) + ptx(selp) <= 0.05 * n
// The border by products with comparisons.
__constant__ float filter[9];

__global__ void blur_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const bool out_x = unsigned(x + dx) >= unsigned(w), out_y = unsigned(y + dy) >= unsigned(h);
      sum += filter[(dy + 1) * 3 + dx + 1] *
             tex2D<float>(image, x + dx - dx * out_x + 0.5f, y + dy - dy * out_y + 0.5f);
    }
  out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);

  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  blur_kernel<<<grid, block>>>(image, out, w, h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
