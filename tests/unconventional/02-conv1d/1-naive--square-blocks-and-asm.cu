// unconventional: conv1d/1-naive
__device__ float at(const float* p) {
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}

__global__ void average3(const float* in, float* out, int n) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (at(in + i) + at(in + i + 1) + at(in + i + 2)) / 3.0f;
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 255) / 256, dim3(32, 8)>>>(in, out, n);
}
