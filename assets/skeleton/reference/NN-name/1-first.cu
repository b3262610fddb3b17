// out[i] = 2 * in[i].
constexpr int threads = 256;

__global__ void twice_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  twice_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
