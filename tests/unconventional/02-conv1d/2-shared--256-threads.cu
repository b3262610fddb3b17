// unconventional: conv1d/2-shared
__global__ void average3(const float* in, float* out, int n) {
  __shared__ float tile[258];
  const int first = blockIdx.x * 256;
  for (int t = threadIdx.x; t < 258; t += 256) {
    if (first + t < n + 2) tile[t] = in[first + t];
  }
  __syncthreads();
  const int t = threadIdx.x;
  if (first + t < n) out[first + t] = (tile[t] + tile[t + 1] + tile[t + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 255) / 256, 256>>>(in, out, n);
}
