// lazy: textures/2-point
// expect: gate texture_requests >= 0.03 * n
// Reads through a surface, which clamps as well. There is no texture.
__constant__ float filter[9];
__global__ void blur_kernel(cudaSurfaceObject_t s, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum +=
          filter[(dy + 1) * 3 + dx + 1] * surf2Dread<float>(s, (x + dx) * 4, y + dy, cudaBoundaryModeClamp);
  out[y * w + x] = sum;
}
void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  cudaArray_t p;
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMallocArray(&p, &f, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(p, 0, 0, in, w * 4, w * 4, h, cudaMemcpyDeviceToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = p;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &r);
  blur_kernel<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(s, out, w, h);
  cudaDestroySurfaceObject(s);
  cudaFreeArray(p);
}
