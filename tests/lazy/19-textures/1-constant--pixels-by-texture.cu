// lazy: textures/1-constant
// expect: gate default: texture_requests <= 2 * reference(self) + 64
// Weights come from global memory as before. Pixels come through a texture, which a gate on global loads does
// not see.
__global__ void blur_kernel(cudaTextureObject_t in, const float* weights, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
      sum += weights[(dy + 1) * 3 + dx + 1] * tex1Dfetch<float>(in, py * w + px);
    }
  out[y * w + x] = sum;
}
cudaTextureObject_t make(const float* in, int w, int h) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = (void*)in;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = 4ull * w * h;
  cudaTextureDesc t = {};
  t.readMode = cudaReadModeElementType;
  cudaTextureObject_t o;
  cudaCreateTextureObject(&o, &r, &t, nullptr);
  return o;
}
void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  auto t = make(in, w, h);
  float* g;
  cudaMalloc(&g, 36);
  cudaMemcpy(g, weights, 36, cudaMemcpyHostToDevice);
  blur_kernel<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(t, g, out, w, h);
  cudaFree(g);
  cudaDestroyTextureObject(t);
}
