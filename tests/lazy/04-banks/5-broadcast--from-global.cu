// lazy: banks/5-broadcast
// expect: gate shared_load_lane_bytes >= 120 * threads
constexpr int terms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = terms - 1; k >= 0; --k) y = y * x + coefficients[k];
  out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  const int block = 128;
  polynomial<<<(n + block - 1) / block, block>>>(in, coefficients, out, n);
}
