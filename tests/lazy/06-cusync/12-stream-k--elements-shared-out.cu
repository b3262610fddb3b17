// lazy: cusync/12-stream-k
// expect: gate atomics + ptx(fence) + ptx(membar) + ptx(st.release) + ptx(ld.acquire) >= 2
// Each of four blocks computes the same number of elements, and each element alone: no sum is split along k.
constexpr int threads = 24;

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int share = (m * n + gridDim.x - 1) / gridDim.x;
  const int end = min(m * n, share * int(blockIdx.x + 1));
  for (int i = share * blockIdx.x + threadIdx.x; i < end; i += threads) {
    float sum = 0.0f;
#pragma unroll 1
    for (int x = 0; x < k; ++x) sum += a[i / n * k + x] * b[x * n + i % n];
    c[i] = sum;
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  gemm<<<4, threads>>>(a, b, c, m, n, k);
}
