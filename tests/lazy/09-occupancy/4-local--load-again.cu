// lazy: occupancy/4-local
// expect: gate global_loads <= 1.01 * 41 * n / 32 + 100
// No array at all: the mean first, then one more, scattered load for the picked number.
constexpr int threads = 256;
constexpr int numbers = 40;

__global__ void pick_kernel(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < numbers; ++k) sum += in[k * n + i];
  out[i] = in[which[i] * n + i] - sum / numbers;
}

void pick(const float* in, const int* which, float* out, int n) {
  if (n == 0) return;
  pick_kernel<<<(n + threads - 1) / threads, threads>>>(in, which, out, n);
}
