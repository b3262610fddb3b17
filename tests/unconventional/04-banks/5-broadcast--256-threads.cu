// unconventional: banks/5-broadcast
constexpr int terms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  extern __shared__ float c[];
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
  const int block = 256;
  polynomial<<<(n + block - 1) / block, block, terms * sizeof(float)>>>(in, coefficients, out, n);
}
