// wrong: banks/5-broadcast
// mistake: Warp 0 brings the coefficients; the other warps must wait for it.
// expect: finding race

constexpr int kTerms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[kTerms];
  if (threadIdx.x < kTerms) c[threadIdx.x] = coefficients[threadIdx.x];
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
