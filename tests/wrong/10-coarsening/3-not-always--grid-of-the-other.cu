// wrong: coarsening/3-not-always
// mistake: The kernel for one element per thread was launched with the grid for sixteen: most elements are never added.
// expect: wrong
constexpr int threads = 256;

template <int each>
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * each * threads + threadIdx.x;
  if ((blockIdx.x + 1) * each * threads <= n) {
    float x[each], y[each];
    for (int k = 0; k < each; ++k) x[k] = a[start + k * threads], y[k] = b[start + k * threads];
    for (int k = 0; k < each; ++k) c[start + k * threads] = x[k] + y[k];
  } else {
    for (int i = start; i < n; i += threads) c[i] = a[i] + b[i];  // a last block that isn't full
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int sms;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int coarse = (n + 16 * threads - 1) / (16 * threads), fine = (n + threads - 1) / threads;
  if (coarse >= sms) {
    add_kernel<16><<<coarse, threads>>>(a, b, c, n);
  } else {
    add_kernel<1><<<coarse, threads>>>(a, b, c, n);
  }
}
