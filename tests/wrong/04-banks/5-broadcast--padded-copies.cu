// wrong: banks/5-broadcast
// mistake: Padding removes the conflicts, but 32 copies of the same words were not needed: a broadcast is free.
// expect: gate_failed gate static_smem + dynamic_smem <= 128

constexpr int kTerms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[32][kTerms + 1];
  for (int t = threadIdx.x; t < 32 * kTerms; t += blockDim.x)
    c[t / kTerms][t % kTerms] = coefficients[t % kTerms];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = kTerms - 1; k >= 0; --k) y = y * x + c[threadIdx.x % 32][k];
  out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  const int block = 128;
  polynomial<<<(n + block - 1) / block, block>>>(in, coefficients, out, n);
}
