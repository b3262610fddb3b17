// unconventional: cusync/12-stream-k
// Each block adds its part of a tile's sums to C by atomics.
constexpr int tile = 4;
constexpr int threads = tile * tile;
constexpr int depth = 4;

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int steps = k / depth;
  const int across = n / tile;
  const int total = across * (m / tile) * steps;
  int at = total * blockIdx.x / gridDim.x;
  const int end = total * (blockIdx.x + 1) / gridDim.x;
  while (at < end) {
    const int which = at / steps, first = at % steps, last = min(steps, first + end - at);
    const int row = which / across * tile + threadIdx.x / tile;
    const int column = which % across * tile + threadIdx.x % tile;
    float sum = 0.0f;
#pragma unroll 1
    for (int x = first * depth; x < last * depth; ++x) sum += a[row * k + x] * b[x * n + column];
    atomicAdd(&c[row * n + column], sum);
    at += last - first;
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  cudaMemset(c, 0, sizeof(float) * m * n);
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  gemm<<<sms, threads>>>(a, b, c, m, n, k);
}
