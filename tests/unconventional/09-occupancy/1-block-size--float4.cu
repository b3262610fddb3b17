// unconventional: occupancy/1-block-size
// Four elements per thread. A grid of 1024 blocks nearly fills the 1056 places of an H100 once.
__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    const float4 u = *reinterpret_cast<const float4*>(x + i);
    float4 v = *reinterpret_cast<float4*>(y + i);
    v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
    *reinterpret_cast<float4*>(y + i) = v;
  } else
    for (int k = i; k < n; ++k) y[k] += a * x[k];
}
void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<(n + 1023) / 1024, 256>>>(x, y, a, n);
}
