// lazy: elementwise/2-relu
// expect: gate global_store_lane_bytes <= 4.05 * n
// Everything is stored, and the negative ones again as zeros.
__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = x;
  __threadfence();
  if (x < 0.0f) out[i] = 0.0f;
}

void relu(const float* in, float* out, int n) {
  if (n > 0) copy_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
