// A polynomial with 32 coefficients, by Horner's rule. All lanes read the same word: a broadcast.
// Bound by starting blocks: 128 threads with one x each end soon.

constexpr int terms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[terms];
  if (threadIdx.x < terms) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = terms - 1; k >= 0; --k) y = y * x + c[k];
  out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  const int block = 128;
  polynomial<<<(n + block - 1) / block, block>>>(in, coefficients, out, n);
}
