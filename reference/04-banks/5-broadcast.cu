// A polynomial with 32 coefficients, by Horner's rule, the coefficients in shared memory. All lanes want the
// same word at the same time: one read, broadcast to all 32. One copy is enough, and it never conflicts.
// Bound by the multiply-adds' latency: each needs the one before.

constexpr int kTerms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[kTerms];
  if (threadIdx.x < kTerms) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = kTerms - 1; k >= 0; --k) y = y * x + c[k];
  out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  const int block = 128;
  polynomial<<<(n + block - 1) / block, block>>>(in, coefficients, out, n);
}
