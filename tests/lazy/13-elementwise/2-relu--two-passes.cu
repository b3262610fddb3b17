// lazy: elementwise/2-relu
// expect: gate global_load_sectors <= n / 8 + 16
// Two kernels: copy everything, then clear what is negative. Every input is loaded twice.
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void clear_kernel(float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n && out[i] < 0.0f) out[i] = 0.0f;
}

void relu(const float* in, float* out, int n) {
  if (n == 0) return;
  copy_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
  clear_kernel<<<(n + threads - 1) / threads, threads>>>(out, n);
}
