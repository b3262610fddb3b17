// Resizes an image: each output pixel is the mean of the four input pixels around its place,
// weighted by distance. The centre of pixel x is at x + 0.5. The kernel makes four fetches per
// pixel, and computes the weights itself.
__global__ void resize_kernel(cudaTextureObject_t image, float* out, int new_w, int new_h,
                              float scale_x, float scale_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_w || y >= new_h) return;
  // TODO: let the sampler weigh the four pixels: one fetch per output pixel.
  const float u = (x + 0.5f) * scale_x - 0.5f, v = (y + 0.5f) * scale_y - 0.5f;
  const float left = floorf(u), top = floorf(v), a = u - left, b = v - top;
  const float upper = (1 - a) * tex2D<float>(image, left + 0.5f, top + 0.5f) +
                      a * tex2D<float>(image, left + 1.5f, top + 0.5f);
  const float lower = (1 - a) * tex2D<float>(image, left + 0.5f, top + 1.5f) +
                      a * tex2D<float>(image, left + 1.5f, top + 1.5f);
  out[y * new_w + x] = (1 - b) * upper + b * lower;
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
  const cudaTextureObject_t image = texture_of(pixels, cudaFilterModePoint);

  const dim3 block(32, 8), grid((new_w + 31) / 32, (new_h + 7) / 8);
  resize_kernel<<<grid, block>>>(image, out, new_w, new_h, float(w) / new_w, float(h) / new_h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
