// unconventional: coarsening/3-not-always
// A grid-stride loop, whose grid has a quarter of the threads when that leaves four blocks per SM.
__global__ void k(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
void add(const float* a, const float* b, float* c, int n) {
  if (!n) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int all = (n + 255) / 256;
  const int blocks = all >= 4 * sms ? all / 4 + 1 : all;
  k<<<blocks, 256>>>(a, b, c, n);
}
