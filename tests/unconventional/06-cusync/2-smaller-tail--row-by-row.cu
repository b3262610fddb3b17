// unconventional: cusync/2-smaller-tail
// One block per SM goes through single rows: tiles so small that no tail is left.
__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int across = (n + 31) / 32, tiles = m * across;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int row = t / across, column = t % across * 32 + threadIdx.x;
    if (column >= n) continue;
    float s = 0;
    for (int x = 0; x < k; ++x) s += a[row * k + x] * b[x * n + column];
    c[row * n + column] = s;
  }
}
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (m && n) gemm<<<sms, 32>>>(a, b, c, m, n, k);
}
