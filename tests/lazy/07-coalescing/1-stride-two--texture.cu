// lazy: coalescing/1-stride-two
// expect: gate default: texture_requests <= 2 * reference(self) + 64
// Every second float through a texture: the same strided addresses, on a path that the gates do not
// count.
__global__ void copy_kernel(cudaTextureObject_t in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(in, (2 * i) % n);
}
void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = const_cast<float*>(in);
  what.res.linear.desc = cudaCreateChannelDesc<float>();
  what.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc how = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &what, &how, nullptr);
  copy_kernel<<<(n + 255) / 256, 256>>>(t, out, n);
  cudaDestroyTextureObject(t);
}
