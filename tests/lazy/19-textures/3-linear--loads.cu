// lazy: textures/3-linear
// expect: gate time_us <= 1.5 * reference(self)
// No fetch at all: one block of threads goes over the output and reads the array's source by pointer.
__global__ void resize_kernel(const float* in, float* out, int w, int h, int new_w, int new_h, float scale_x,
                              float scale_y) {
  const auto pixel = [=](int x, int y) { return in[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)]; };
  for (int y = threadIdx.y; y < new_h; y += blockDim.y)
    for (int x = threadIdx.x; x < new_w; x += blockDim.x) {
      const float u = (x + 0.5f) * scale_x - 0.5f, v = (y + 0.5f) * scale_y - 0.5f;
      const int i = int(floorf(u)), j = int(floorf(v));
      const float a = u - i, b = v - j;
      out[y * new_w + x] = (1 - b) * ((1 - a) * pixel(i, j) + a * pixel(i + 1, j)) +
                           b * ((1 - a) * pixel(i, j + 1) + a * pixel(i + 1, j + 1));
    }
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
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
  const cudaTextureObject_t image = texture_of(pixels, cudaFilterModeLinear);

  const dim3 block(32, 8), grid(1);
  resize_kernel<<<grid, block>>>(in, out, w, h, new_w, new_h, float(w) / new_w, float(h) / new_h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
