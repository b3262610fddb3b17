// A polynomial with 32 coefficients, by Horner's rule, the coefficients in shared memory. Someone thought
// that 32 lanes must not read the same word, and gave every lane a copy of its own. Look at the bank map.

constexpr int kTerms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  // TODO: is a copy for each lane needed? In which bank does c[lane][k] lie?
  __shared__ float c[32][kTerms];
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
