// lazy: banks/5-broadcast
// expect: gate shared_load_lane_bytes >= 120 * threads
// Each lane reads one coefficient, and shuffles hand them round.
constexpr int terms = 32;

__global__ void polynomial(const float* in, const float* coefficients, float* out, int n) {
  __shared__ float c[terms];
  if (threadIdx.x < terms) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  volatile float* each = c;
  const float mine = each[threadIdx.x % 32] + 0 * each[0];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[min(i, n - 1)];
  float y = 0.0f;
  for (int k = terms - 1; k >= 0; --k) y = y * x + __shfl_sync(~0u, mine, k);
  if (i < n) out[i] = y;
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n > 0) polynomial<<<(n + 127) / 128, 128>>>(in, coefficients, out, n);
}
