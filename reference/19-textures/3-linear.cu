// Resizing by a texture with a linear filter: one fetch gives the mean of four pixels, weighted by
// distance. A pixel's centre lies at a half: output pixel x covers the input around
// (x + 0.5) * w / new_w. Bound by the copy into the array, and then by starting blocks.
__global__ void resize_kernel(cudaTextureObject_t image, float* out, int new_w, int new_h,
                              float scale_x, float scale_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_w || y >= new_h) return;
  out[y * new_w + x] = tex2D<float>(image, (x + 0.5f) * scale_x, (y + 0.5f) * scale_y);
}

cudaTextureObject_t texture_of(cudaArray_t pixels, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = filter;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);
  return image;
}

void resize(const float* in, float* out, int w, int h, int new_w, int new_h) {
  if (new_w == 0 || new_h == 0) return;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h,
                      cudaMemcpyDeviceToDevice);
  const cudaTextureObject_t image = texture_of(pixels, cudaFilterModeLinear);

  const dim3 block(32, 8), grid((new_w + 31) / 32, (new_h + 7) / 8);
  resize_kernel<<<grid, block>>>(image, out, new_w, new_h, float(w) / new_w, float(h) / new_h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
