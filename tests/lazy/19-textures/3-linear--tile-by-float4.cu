// lazy: textures/3-linear
// expect: gate global_load_lane_bytes <= 0.1 * pixels
// Pixels by float4 and a tile in shared memory, weights by hand, and a fetch for show.
constexpr int rows = 4;

// Rows of the input in shared memory, by float4. The weights by hand; a fetch per pixel for show.
__global__ void resize_kernel(const float* in, cudaTextureObject_t image, float* out, int w, int h, int new_w,
                              int new_h, float scale_x, float scale_y) {
  extern __shared__ __align__(16) float tile[];
  const int y0 = blockIdx.x * rows;
  const int top = max(int(floorf((y0 + 0.5f) * scale_y - 0.5f)), 0),
            bottom = min(int(floorf((y0 + rows - 0.5f) * scale_y - 0.5f)) + 1, h - 1);
  const int first = top * w / 4 * 4, end = (bottom + 1) * w;
  for (int i = first + 4 * threadIdx.x; i < end; i += 4 * blockDim.x)
    if (i + 4 <= w * h) {
      *reinterpret_cast<float4*>(tile + i - first) = *reinterpret_cast<const float4*>(in + i);
    } else {
      for (int k = i; k < w * h; ++k) tile[k - first] = in[k];
    }
  __syncthreads();
  for (int y = y0; y < min(y0 + rows, new_h); ++y)
    for (int x = threadIdx.x; x < new_w; x += blockDim.x) {
      const float u = (x + 0.5f) * scale_x - 0.5f, v = (y + 0.5f) * scale_y - 0.5f;
      const float left = floorf(u), above = floorf(v), a = u - left, b = v - above;
      const int x0 = max(int(left), 0), x1 = min(int(left) + 1, w - 1);
      const int r0 = max(int(above), 0) * w - first, r1 = min(int(above) + 1, h - 1) * w - first;
      float upper = (1 - a) * tile[r0 + x0] + a * tile[r0 + x1];
      const float lower = (1 - a) * tile[r1 + x0] + a * tile[r1 + x1];
      if (tex2D<float>(image, x + 0.5f, y + 0.5f) == 12345.0f) upper = 0;
      out[y * new_w + x] = (1 - b) * upper + b * lower;
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
  const cudaTextureObject_t image = texture_of(pixels, cudaFilterModePoint);

  const int bytes = ((rows + 3) * w + 8) * sizeof(float);
  cudaFuncSetAttribute(resize_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  resize_kernel<<<(new_h + rows - 1) / rows, 512, bytes>>>(in, image, out, w, h, new_w, new_h,
                                                           float(w) / new_w, float(h) / new_h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
