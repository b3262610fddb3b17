// lazy: conv1d/4-constant
// expect: gate 32 * global_load_requests <= 7.1 * n
// Constant memory holds the numbers 0 to 6. The weights come from global memory, once per four outputs.
constexpr int taps = 7;
__constant__ int offsets[taps] = {0, 1, 2, 3, 4, 5, 6};

__global__ void filter7(const float* in, const float* filter, float* out, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float w[taps];
  for (int k = 0; k < taps; ++k) w[k] = filter[offsets[k]];
  for (int j = i; j < min(i + 4, n); ++j) {
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) sum += w[k] * in[j + k];
    out[j] = sum;
  }
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n > 0) filter7<<<(n + 1023) / 1024, 256>>>(in, filter, out, n);
}
