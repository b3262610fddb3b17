// lazy: cusync/12-stream-k
// expect: gate time_us / instructions <= 1.15 * reference(self)
// Whole tiles, four blocks, and four groups of threads per tile: faster tiles, and two SMs get one tile less.
constexpr int tile = 4;
constexpr int groups = 4;  // each takes a quarter of the steps along k
constexpr int threads = tile * tile * groups;

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float part[groups][tile * tile];
  const int group = threadIdx.x / (tile * tile);
  const int t = threadIdx.x % (tile * tile);
  const int across = n / tile;
  for (int which = blockIdx.x; which < across * (m / tile); which += gridDim.x) {
    const int row = which / across * tile + t / tile;
    const int column = which % across * tile + t % tile;
    float sum = 0.0f;
#pragma unroll 1
    for (int x = group; x < k; x += groups) sum += a[row * k + x] * b[x * n + column];
    part[group][t] = sum;
    __syncthreads();
    if (group == 0) c[row * n + column] = part[0][t] + part[1][t] + part[2][t] + part[3][t];
    __syncthreads();
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  gemm<<<4, threads>>>(a, b, c, m, n, k);
}
