// out[i] = in[(2 * i) % n].
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // TODO: let consecutive threads load consecutive floats; change where the results go instead.
  out[i] = in[(2 * i) % n];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  copy_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
