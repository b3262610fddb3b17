// lazy: banks/5-broadcast
// expect: gate shared_load_lane_bytes >= 120 * threads
// Two coefficients from shared memory, 30 from constant memory.
constexpr int terms = 32;
__constant__ float coefficients_of_all[terms];

__global__ void polynomial(const float* in, float* out, int n) {
  __shared__ float c[2];
  if (threadIdx.x < 2) c[threadIdx.x] = coefficients_of_all[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y = 0.0f;
  for (int k = terms - 1; k >= 2; --k) y = y * x + coefficients_of_all[k];
  out[i] = (y * x + c[1]) * x + c[0];
}

void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n == 0) return;
  cudaMemcpyToSymbol(coefficients_of_all, coefficients, sizeof(coefficients_of_all), 0,
                     cudaMemcpyDeviceToDevice);
  polynomial<<<(n + 127) / 128, 128>>>(in, out, n);
}
