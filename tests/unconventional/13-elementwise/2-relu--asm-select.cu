// unconventional: elementwise/2-relu
__global__ void relu_kernel(const float* in, float* out, int n) {
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y;
  asm("{ .reg .pred low; setp.lt.f32 low, %1, 0f00000000;\n"
      " selp.f32 %0, 0f00000000, %1, low; }"
      : "=f"(y)
      : "f"(x));
  out[i] = y;
}

void relu(const float* in, float* out, int n) {
  if (n > 0) relu_kernel<<<dim3(64, (n + 64 * 512 - 1) / (64 * 512)), 512>>>(in, out, n);
}
