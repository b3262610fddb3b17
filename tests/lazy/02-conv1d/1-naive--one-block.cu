// lazy: conv1d/1-naive
// expect: gate threads >= n / 16
__global__ void average3(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = (in[i] + in[i + 1] + in[i + 2]) * (1.0f / 3.0f);
  }
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<1, 256>>>(in, out, n);
}
