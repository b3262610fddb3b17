// lazy: cusync/10-own-policy
// expect: gate waiting_launches >= 2
// The wait kernel is left out.
// A product in two groups: the left columns of E need only the left columns of C, and the right
// ones the right. A policy of its own keeps one semaphore per half of a row.
// Bound by its waves.
#include <cusync.cuh>

constexpr int tile_m = 8;  // small: a thread computes several rows
constexpr int tile_n = 4;
constexpr int threads = 4;

// Adjacent tiles share a semaphore: the left half of a row of tiles, and the right half.
struct HalfSync : SyncPolicy {
  static __host__ int semaphores(dim3) { return 2; }
  static __host__ int together(dim3 grid) { return grid.x / 2; }
};

// The block's tile of z = x * y, from row `row` and column `column`: the inner extent from `first`
// to `last`; x has `inner` columns, y and z have `width`.
__device__ void gemm_tile(const float* x, const float* y, float* z, int row, int column, int first,
                          int last, int inner, int width) {
#pragma unroll 1
  for (int i = row + threadIdx.x; i < row + tile_m; i += threads)
#pragma unroll 1
    for (int j = column; j < column + tile_n; ++j) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = first; k < last; ++k) sum += x[i * inner + k] * y[k * width + j];
      z[i * width + j] = sum;
    }
}

__global__ void produce(CuStage stage, const float* a, const float* b, float* c, int k, int n) {
  stage.start();
  const uint2 t = stage.tile();
  gemm_tile(a, b, c, t.y * tile_m, t.x * tile_n, 0, k, k, n);
  stage.post();
}

__global__ void consume(CuStage stage, const float* c, const float* d, float* e, int n, int l) {
  stage.start();
  const uint2 t = stage.tile();
  const int group = t.x * tile_n >= l / 2 ? 1 : 0;  // the columns of C that it reads start here
  const int first = group * n / 2;
  stage.wait(c, t.y, first / tile_n);
  gemm_tile(c, d, e, t.y * tile_m, t.x * tile_n, first, first + n / 2, n, l);
  stage.post();
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]. The left columns of E use the upper half of
// D, the right ones the lower.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  CuSync cs;
  CuStage& first = cs.stage(dim3(n / tile_n, m / tile_m), dim3(tile_n, tile_m), RowMajor);
  CuStage& second = cs.stage(dim3(l / tile_n, m / tile_m), dim3(tile_n, tile_m), RowMajor);
  cs.dependency<HalfSync>(first, second, c);
  produce<<<first.blocks(), threads, 0, first.stream()>>>(first, a, b, c, k, n);
  consume<<<second.blocks(), threads, 0, second.stream()>>>(second, c, d, e, n, l);
}
