// Doubles n floats, four per thread.
// TODO: find and fix the bug.
constexpr int threads = 256;

__global__ void double_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first >= n) return;
  const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
  out[first] = 2 * x.x;
  if (first + 1 < n) out[first + 1] = 2 * x.y;
  if (first + 2 < n) out[first + 2] = 2 * x.z;
  if (first + 3 < n) out[first + 3] = 2 * x.w;
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  double_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, out, n);
}
