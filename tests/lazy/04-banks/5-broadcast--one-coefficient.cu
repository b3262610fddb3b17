// lazy: banks/5-broadcast
// expect: gate global_load_lane_bytes <= 8 * n
// One coefficient from shared memory, 31 from global memory.
constexpr int terms = 32;
__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[1];
  if (threadIdx.x == 0) c[0] = coefficients[0];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.0f;
  for (int k = terms - 1; k >= 1; --k) y = y * x + coefficients[k];
  out[i] = y * x + c[0];
}
void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n) polynomial<<<(n + 127) / 128, 128>>>(in, coefficients, out, n);
}
