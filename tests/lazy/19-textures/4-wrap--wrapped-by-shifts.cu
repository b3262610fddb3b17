// lazy: textures/4-wrap
// expect: gate instructions <= 1.25 * reference(self)
// Shifts of the sign wrap the coordinates.
__global__ void diffuse_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float step_x = 1.0f / w, step_y = 1.0f / h;
  const float u = (x + 0.5f) * step_x, v = (y + 0.5f) * step_y;
  // Columns and rows beside this pixel, put back inside by the sign of what is beyond.
  const float left = (x - 1 + ((x - 1) >> 31 & w) + 0.5f) * step_x;
  const float right = (x + 1 - ((w - 2 - x) >> 31 & w) + 0.5f) * step_x;
  const float above = (y - 1 + ((y - 1) >> 31 & h) + 0.5f) * step_y;
  const float below = (y + 1 - ((h - 2 - y) >> 31 & h) + 0.5f) * step_y;
  const float here = tex2D<float>(image, u, v);
  const float around = tex2D<float>(image, left, v) + tex2D<float>(image, right, v) +
                       tex2D<float>(image, u, above) + tex2D<float>(image, u, below);
  out[y * w + x] = here + (around - 4 * here) / 8;
}

void diffuse(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h,
                      cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeWrap;
  sampler.filterMode = cudaFilterModePoint;
  sampler.normalizedCoords = 1;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  diffuse_kernel<<<grid, block>>>(image, out, w, h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
