// lazy: textures/5-surface
// expect: gate working_launches >= 2
// The first pass goes into a tile in shared memory: no launch writes what a texture reads.
__constant__ float f[9];
__device__ float b1(cudaTextureObject_t t, int x, int y) {
  float s = 0;
  for (int j = 0; j < 9; ++j) s += f[j] * tex2D<float>(t, x + j % 3 - .5f, y + j / 3 - .5f);
  return s;
}
__global__ void k(cudaTextureObject_t t, float* out, int w, int h) {
  __shared__ float m[10][34];
  int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256)
    m[i / 34][i % 34] = b1(t, min(max(x0 + i % 34, 0), w - 1), min(max(y0 + i / 34, 0), h - 1));
  __syncthreads();
  int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int j = 0; j < 9; ++j) s += f[j] * m[threadIdx.y + j / 3][threadIdx.x + j % 3];
  out[y * w + x] = s;
}
void blur_twice(const float* in, const float* weights, float* out, int w, int h) {
  if (!w || !h) return;
  cudaMemcpyToSymbol(f, weights, 36);
  cudaArray_t a;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &d, w, h);
  cudaMemcpy2DToArray(a, 0, 0, in, 4 * w, 4 * w, h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc s{};
  s.addressMode[0] = s.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &r, &s, nullptr);
  k<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(t, out, w, h);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a);
}
