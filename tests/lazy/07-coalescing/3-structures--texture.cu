// lazy: coalescing/3-structures
// expect: gate default: texture_requests <= 2 * reference(self) + 64
// The structures through a texture, one field after the other: the strided loads stay.
__global__ void k(cudaTextureObject_t t, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = tex1Dfetch<float>(t, 3 * i), y = tex1Dfetch<float>(t, 3 * i + 1),
              z = tex1Dfetch<float>(t, 3 * i + 2);
  out[i] = sqrtf(x * x + y * y + z * z);
}
void lengths(const float* xyz, float* out, int n) {
  if (n == 0) return;
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = const_cast<float*>(xyz);
  what.res.linear.desc = cudaCreateChannelDesc<float>();
  what.res.linear.sizeInBytes = 3 * n * sizeof(float);
  cudaTextureDesc how = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &what, &how, nullptr);
  k<<<(n + 255) / 256, 256>>>(t, out, n);
}
