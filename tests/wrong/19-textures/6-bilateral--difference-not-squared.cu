// wrong: textures/6-bilateral
// mistake: The difference is not squared: a darker pixel gets a weight above 1.
// expect: wrong
__constant__ float log_distance[6] = {0.0f,        -0.18033688f, -0.36067376f,
                                      -0.72134752f, -0.90168440f, -1.44269504f};  // -d2 / 8 * log2(e)

__global__ void bilateral_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  constexpr int entry[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};  // of |dy| and |dx|
  const float centre = tex2D<float>(image, x + 0.5f, y + 0.5f);
  float sum = 0, weights = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
    for (int dx = -2; dx <= 2; ++dx) {
      const float v = tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f), d = v - centre;
      const float weight = exp2f(log_distance[entry[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx]] - d * 11.5415603f);
      sum += weight * v;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h);
  cudaMemcpy2DToArray(pixels, 0, 0, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  bilateral_kernel<<<grid, block>>>(image, out, w, h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
