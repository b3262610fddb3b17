// lazy: textures/2-point
// expect: gate ptx(min) + ptx(max) + ptx(selp) <= 0.05 * n
// A texture over linear memory: the border costs instructions as before.
__constant__ float filter[9];

__device__ int at(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

__global__ void blur_kernel(cudaTextureObject_t image, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += filter[(dy + 1) * 3 + dx + 1] * tex1Dfetch<float>(image, at(x + dx, w) + w * at(y + dy, h));
  out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(in);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = sizeof(float) * w * h;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);

  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  blur_kernel<<<grid, block>>>(image, out, w, h);
  cudaDestroyTextureObject(image);
}
