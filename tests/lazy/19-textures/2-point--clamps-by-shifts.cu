// lazy: textures/2-point
// expect: gate texture_outside_lanes >= w + h
// Shifts of the sign keep coordinates inside: no min, no comparison, and nothing for the sampler to do.
__constant__ float filter[9];

__global__ void blur_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  const float cx[3] = {float(x - 1 - ((x - 1) >> 31)) + 0.5f, x + 0.5f, float(x + 1 + ((w - 2 - x) >> 31)) + 0.5f};
  const float cy[3] = {float(y - 1 - ((y - 1) >> 31)) + 0.5f, y + 0.5f, float(y + 1 + ((h - 2 - y) >> 31)) + 0.5f};
  for (int dy = 0; dy <= 2; ++dy)
    for (int dx = 0; dx <= 2; ++dx) sum += filter[dy * 3 + dx] * tex2D<float>(image, cx[dx], cy[dy]);
  out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);

  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h,
                      cudaMemcpyDeviceToDevice);
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
