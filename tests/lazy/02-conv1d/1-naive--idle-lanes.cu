// lazy: conv1d/1-naive
// expect: gate global_load_sectors <= 0.5 * n
// Every fourth thread makes four outputs, the others none.
__global__ void average3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4) return;
  for (int j = i; j < i + 4 && j < n; ++j) out[j] = (in[j] + in[j + 1] + in[j + 2]) / 3.0f;
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 127) / 128, 128>>>(in, out, n);
}
