// lazy: coarsening/3-not-always
// expect: gate tail_idle <= 0.3
// As many blocks as SMs at least, of which those past the end have nothing to do.
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
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int coarse = (n + 16 * threads - 1) / (16 * threads);
  add_kernel<16><<<max(coarse, sms), threads>>>(a, b, c, n);
}
