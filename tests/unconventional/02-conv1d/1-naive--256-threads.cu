// unconventional: conv1d/1-naive
__global__ void average3(const float* in, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = (in[i] + (in[i + 1] + in[i + 2])) / 3.0f;
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 255) / 256, 256>>>(in, out, n);
}
