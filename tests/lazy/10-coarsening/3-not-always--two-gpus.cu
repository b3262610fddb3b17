// lazy: coarsening/3-not-always
// expect: gate threads <= n / 2 + 1024 (n=262144..300000, simt:a5000|simt:t4)
// The sizes at which two GPUs have enough blocks are written in.
constexpr int threads = 256;

template <int each>
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * each * threads + threadIdx.x;
  if ((blockIdx.x + 1) * each * threads <= n) {
    float x[each];
    float y[each];
    for (int k = 0; k < each; ++k) {
      x[k] = a[start + k * threads];
      y[k] = b[start + k * threads];
    }
    for (int k = 0; k < each; ++k) c[start + k * threads] = x[k] + y[k];
  } else {
    for (int i = start; i < n; i += threads) c[i] = a[i] + b[i];  // the last block
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int many = 16;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int coarse = (n + many * threads - 1) / (many * threads);
  const int fine = (n + threads - 1) / threads;
  if (n > (sms == 64 ? 262143 : 540000)) {
    add_kernel<many><<<coarse, threads>>>(a, b, c, n);
  } else {
    add_kernel<1><<<fine, threads>>>(a, b, c, n);
  }
}
