// lazy: conv1d/3-coarsened
// expect: gate 128 * global_load_requests <= 3.05 * n
__global__ void average3(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * 128 + threadIdx.x);
  for (int i = first; i < min(n, first + 4); ++i) {
    out[i] = (in[i] + in[i + 1] + in[i + 2]) * (1.0f / 3.0f);
  }
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 511) / 512, 128>>>(in, out, n);
}
