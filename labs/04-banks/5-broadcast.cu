// A polynomial with 32 coefficients, by Horner's rule. Every lane has a copy of the coefficients.

constexpr int terms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  // TODO: is a copy per lane needed? In which bank does c[lane][k] lie?
  __shared__ float c[32][terms];
  for (int t = threadIdx.x; t < 32 * terms; t += blockDim.x)
    c[t / terms][t % terms] = coefficients[t % terms];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = terms - 1; k >= 0; --k) y = y * x + c[threadIdx.x % 32][k];
  out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  const int block = 128;
  polynomial<<<(n + block - 1) / block, block>>>(in, coefficients, out, n);
}
