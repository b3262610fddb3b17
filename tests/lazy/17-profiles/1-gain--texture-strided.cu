// lazy: profiles/1-gain
// expect: gate default: texture_requests <= 2 * reference(self) + 64
// The scattered addresses go through a texture. Only the stores are consecutive.
__global__ void k(cudaTextureObject_t t, float* out, int n) {
  __shared__ float s[256 * 9];
  const int base = blockIdx.x * 2048;
  for (int q = 0; q < 8; ++q) {
    const int i = base + 8 * threadIdx.x + q;
    if (i < n) s[threadIdx.x * 9 + q] = 0.5f * tex1Dfetch<float>(t, i) + 1;
  }
  __syncthreads();
  for (int q = threadIdx.x; q < 2048; q += 256)
    if (base + q < n) out[base + q] = s[q / 8 * 9 + q % 8];
}
void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = const_cast<float*>(in);
  what.res.linear.desc = cudaCreateChannelDesc<float>();
  what.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc how = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &what, &how, nullptr);
  k<<<(n + 2047) / 2048, 256>>>(t, out, n);
  cudaDestroyTextureObject(t);
}
