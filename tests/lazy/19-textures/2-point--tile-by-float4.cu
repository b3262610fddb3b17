// lazy: textures/2-point
// expect: gate global_load_lane_bytes <= 0.5 * n
// Eight of nine pixels come by pointer, through a tile in shared memory.
__constant__ float filter[9];
constexpr int rows = 4, most = 16384;

// Four rows per block, of which the threads take columns. Their pixels and those of the rows around are in
// shared memory, as they lie in the image. The texture gives the pixel in the middle, and the border.
__global__ void blur_kernel(const float* in, cudaTextureObject_t image, float* out, int w, int h) {
  extern __shared__ __align__(32) float tile[];
  const int y0 = blockIdx.x * rows, first = max(y0 - 1, 0) * w / 256 * 256, end = min(y0 + rows + 1, h) * w;
  for (int i = first + 4 * threadIdx.x; i < end; i += 4 * blockDim.x)
    if (i + 4 <= w * h) {
      *reinterpret_cast<float4*>(tile + i - first) = *reinterpret_cast<const float4*>(in + i);
    } else {
      for (int k = i; k < w * h; ++k) tile[k - first] = in[k];
    }
  __syncthreads();
  const float c0 = filter[0], c1 = filter[1], c2 = filter[2], c3 = filter[3], c4 = filter[4], c5 = filter[5],
              c6 = filter[6], c7 = filter[7], c8 = filter[8];
  for (int x = threadIdx.x; x < w; x += blockDim.x)
    for (int y = y0; y < min(y0 + rows, h); ++y) {
      const float middle = tex2D<float>(image, x + 0.5f, y + 0.5f);
      float sum = c4 * middle;
      if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        const float* p = tile + y * w + x - first;
        sum += c0 * p[-w - 1] + c1 * p[-w] + c2 * p[-w + 1] + c3 * p[-1] + c5 * p[1] + c6 * p[w - 1] +
               c7 * p[w] + c8 * p[w + 1];
      } else {
        for (int k = 0; k < 9; ++k)
          if (k != 4) sum += filter[k] * tex2D<float>(image, x + k % 3 - 0.5f, y + k / 3 - 0.5f);
      }
      out[y * w + x] = sum;
    }
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);

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

  const int bytes = ((rows + 2) * w + 512) * sizeof(float);
  cudaFuncSetAttribute(blur_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  blur_kernel<<<(h + rows - 1) / rows, 512, bytes>>>(in, image, out, w, h);
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}
