// unconventional: cusync/6-rowsync
// A thread computes every second element of a tile.
#include <cusync.cuh>
constexpr int tile = 4;
constexpr int threads = 2;

struct WholeRow : SyncPolicy {
  static __host__ int semaphores(dim3) { return 1; }
  static __host__ int together(dim3 grid) { return grid.x; }
};

__device__ void gemm_tile(const float* x, const float* y, float* z, int row, int column, int inner,
                          int width) {
#pragma unroll 1
  for (int t = threadIdx.x; t < tile * tile; t += threads) {
    const int i = row + t / tile, j = column + t % tile;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < inner; ++k) sum = fmaf(x[i * inner + k], y[k * width + j], sum);
    z[i * width + j] = sum;
  }
}

__global__ void produce(CuStage stage, const float* a, const float* b, float* c, int k, int n) {
  stage.start();
  const uint2 t = stage.tile();
  gemm_tile(a, b, c, t.y * tile, t.x * tile, k, n);
  stage.post();
}

__global__ void consume(CuStage stage, const float* c, const float* d, float* e, int n, int l) {
  stage.start();
  const auto [column, row] = stage.tile();
  stage.wait(c, row, 0);
  gemm_tile(c, d, e, row * tile, column * tile, n, l);
  stage.post();
}

void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  CuSync cs;
  CuStage& first = cs.stage(dim3(n / tile, m / tile), dim3(tile, tile), RowMajor);
  CuStage& second = cs.stage(dim3(l / tile, m / tile), dim3(tile, tile), RowMajor);
  cs.dependency<WholeRow>(first, second, c);
  produce<<<first.blocks(), threads, 0, first.stream()>>>(first, a, b, c, k, n);
  consume<<<second.blocks(), threads, 0, second.stream()>>>(second, c, d, e, n, l);
}
