// unconventional: textures/5-surface
// The first pass stores to pitched memory, of which the second pass's texture is made: nothing is copied either.
__constant__ float filter[9];

__device__ float blurred(cudaTextureObject_t image, int x, int y) {
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += filter[(dy + 1) * 3 + dx + 1] * tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
  return sum;
}

__global__ void first_pass(cudaTextureObject_t image, float* middle, size_t pitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) middle[y * pitch / sizeof(float) + x] = blurred(image, x, y);
}

__global__ void second_pass(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = blurred(image, x, y);
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
  cudaArray_t pixels;
  float* once;
  size_t pitch;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMallocPitch(&once, &pitch, w * sizeof(float), h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = once;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = w;
  resource.res.pitch2D.height = h;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t middle_image;
  cudaCreateTextureObject(&middle_image, &resource, &sampler, nullptr);
  const cudaTextureObject_t image = texture_of(pixels);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  first_pass<<<grid, block>>>(image, once, pitch, w, h);
  second_pass<<<grid, block>>>(middle_image, out, w, h);
  cudaDestroyTextureObject(image);
  cudaDestroyTextureObject(middle_image);
  cudaFreeArray(pixels);
  cudaFree(once);
}
