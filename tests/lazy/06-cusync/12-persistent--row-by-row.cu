// lazy: cusync/12-persistent
// expect: gate atomics + ptx(fence) + ptx(membar) + ptx(st.release) + ptx(ld.acquire) >= m * n / 32
// A block computes a row of C and then the same row of E: no block needs another one's tiles.
constexpr int threads = 8;
__global__ void both(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
                     int l) {
  for (int i = blockIdx.x; i < m; i += gridDim.x) {
#pragma unroll 1
    for (int j = threadIdx.x; j < n; j += threads) {
      float s = 0.0f;
#pragma unroll 1
      for (int q = 0; q < k; ++q) s += a[i * k + q] * b[q * n + j];
      c[i * n + j] = s;
    }
    __syncthreads();
#pragma unroll 1
    for (int j = threadIdx.x; j < l; j += threads) {
      float s = 0.0f;
#pragma unroll 1
      for (int q = 0; q < n; ++q) s += c[i * n + q] * d[q * l + j];
      e[i * l + j] = s;
    }
  }
}
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k, int l) {
  if (m == 0 || n == 0 || l == 0) return;
  both<<<4, threads>>>(a, b, d, c, e, m, n, k, l);
}
