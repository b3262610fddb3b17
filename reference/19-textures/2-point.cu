// The 3 x 3 filter through a texture object. The image lies in an array, and the sampler repeats
// the border (clamp): no code for it is left. Bound by the copy of a small image; of a large one,
// by the texture units: nine fetches per pixel.
__constant__ float filter[9];

__global__ void blur_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += filter[(dy + 1) * 3 + dx + 1] * tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
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
