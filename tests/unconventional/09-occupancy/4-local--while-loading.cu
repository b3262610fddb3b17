// unconventional: occupancy/4-local
// The comparison happens while loading: one sum, one picked number, no array.
constexpr int threads = 128;
constexpr int numbers = 40;

__global__ void pick_kernel(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int w = which[i];
  float sum = 0.0f;
  float picked = 0.0f;
  for (int k = 0; k < numbers; ++k) {
    const float x = in[k * n + i];
    sum += x;
    picked = k == w ? x : picked;
  }
  out[i] = picked - sum / numbers;
}

void pick(const float* in, const int* which, float* out, int n) {
  if (n == 0) return;
  pick_kernel<<<(n + threads - 1) / threads, threads>>>(in, which, out, n);
}
