// wrong: sync-bugs/3-twice
// mistake: A vector is loaded although its last float may not exist: check first + 3 < n, before loading.
// expect: finding out_of_bounds line 9
constexpr int threads = 256;

__global__ void double_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 2 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    reinterpret_cast<float4*>(out)[first / 4] = make_float4(2 * x.x, 2 * x.y, 2 * x.z, 2 * x.w);
  } else {
    for (int i = first; i < n; ++i) out[i] = 2 * in[i];
  }
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  double_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, out, n);
}
