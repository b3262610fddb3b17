// lazy: textures/5-surface
// expect: gate global_load_lane_bytes <= 0.5 * n
// The first pass fetches through a texture, which is enough fetches for a gate. The second reads plain
// memory.
__constant__ float filter[9];

__device__ float blurred(cudaTextureObject_t image, int x, int y) {
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += filter[(dy + 1) * 3 + dx + 1] * tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
  return sum;
}

__global__ void first_pass(cudaTextureObject_t image, float* middle, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) middle[y * w + x] = blurred(image, x, y);
}

__global__ void second_pass(cudaTextureObject_t image, const float* m, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += filter[(dy + 1) * 3 + dx + 1] * m[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
  out[y * w + x] = sum;
}

cudaTextureObject_t texture_of(cudaArray_t pixels) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);
  return image;
}

void blur_twice(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  cudaArray_t pixels, once;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMallocArray(&once, &format, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = once;
  float* middle;
  cudaMalloc(&middle, 4ull * w * h);
  const cudaTextureObject_t image = texture_of(pixels), middle_image = texture_of(once);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  first_pass<<<grid, block>>>(image, middle, w, h);
  second_pass<<<grid, block>>>(middle_image, middle, out, w, h);
  cudaDestroyTextureObject(image);
  cudaDestroyTextureObject(middle_image);
  cudaFree(middle);
  cudaFreeArray(pixels);
  cudaFreeArray(once);
}
