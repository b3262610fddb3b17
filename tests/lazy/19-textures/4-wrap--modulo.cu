// lazy: textures/4-wrap
// expect: gate instructions <= 1.25 * reference(self)
// A texture is read, and the modulo stays.
__global__ void diffuse_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float step_x = 1.0f / w, step_y = 1.0f / h;
  const float u = (x + 0.5f) * step_x, v = (y + 0.5f) * step_y;
  const float here = tex2D<float>(image, u, v);
  const auto at = [=](int c, int r) {
    return tex2D<float>(image, ((c + w) % w + 0.5f) * step_x, ((r + h) % h + 0.5f) * step_y);
  };
  const float around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
  out[y * w + x] = here + (around - 4 * here) / 8;
}

void diffuse(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
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
