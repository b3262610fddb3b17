// unconventional: banks/5-broadcast
constexpr int terms = 32;

// The even and the odd powers by themselves, from float4 that all lanes read.
template <int per_thread>
__global__ void polynomial(const float* __restrict__ in, const float4* __restrict__ coefficients,
                           float* __restrict__ out, int n) {
  __shared__ float4 c[terms / 4];
  if (threadIdx.x < terms / 4) c[threadIdx.x] = __ldg(coefficients + threadIdx.x);
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * per_thread + threadIdx.x;
#pragma unroll
  for (int j = 0; j < per_thread; ++j) {
    const int i = first + j * blockDim.x;
    if (i >= n) break;
    const float x = in[i], square = x * x;
    float even = 0, odd = 0;
#pragma unroll
    for (int k = terms / 4 - 1; k >= 0; --k) {
      const float4 v = c[k];
      even = fmaf(fmaf(even, square, v.z), square, v.x);
      odd = fmaf(fmaf(odd, square, v.w), square, v.y);
    }
    out[i] = fmaf(odd, x, even);
  }
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n > 0)
    polynomial<1><<<(n + 191) / 192, 192>>>(in, reinterpret_cast<const float4*>(coefficients), out, n);
}
