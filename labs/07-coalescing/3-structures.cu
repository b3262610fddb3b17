// Lengths of vectors that lie in memory as x y z x y z ...: an array of structures.
constexpr int threads = 256;

__global__ void lengths_kernel(const float* xyz, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // TODO: load consecutive floats into shared memory, and take the vectors apart there.
  const float x = xyz[3 * i];
  const float y = xyz[3 * i + 1];
  const float z = xyz[3 * i + 2];
  out[i] = sqrtf(x * x + y * y + z * z);
}

void lengths(const float* xyz, float* out, int n) {
  if (n == 0) return;
  lengths_kernel<<<(n + threads - 1) / threads, threads>>>(xyz, out, n);
}
