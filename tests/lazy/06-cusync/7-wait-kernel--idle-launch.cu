// lazy: cusync/7-wait-kernel
// expect: gate waiting_launches >= 2
// The producer is launched first. An empty launch stands for the wait kernel.
#include <cusync.cuh>

constexpr int tile = 4;  // small: a thread computes several rows
constexpr int threads = 2;

// The block's tile of z = x * y, from row `row` and column `column`; x has `inner` columns, y and z
// have `width`.
__device__ void gemm_tile(const float* x, const float* y, float* z, int row, int column, int inner,
                          int width) {
#pragma unroll 1
  for (int i = row + threadIdx.x; i < row + tile; i += threads)
#pragma unroll 1
    for (int j = column; j < column + tile; ++j) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = 0; k < inner; ++k) sum += x[i * inner + k] * y[k * width + j];
      z[i * width + j] = sum;
    }
}

__global__ void idle() {}

__global__ void produce(CuStage stage, const float* a, const float* b, float* c, int k, int n) {
  stage.start();
  const uint2 t = stage.tile();
  gemm_tile(a, b, c, t.y * tile, t.x * tile, k, n);
  stage.post();
}

__global__ void consume(CuStage stage, const float* c, const float* d, float* e, int n, int l) {
  stage.start();
  const uint2 t = stage.tile();
  stage.wait(c, t.y, 0);
  gemm_tile(c, d, e, t.y * tile, t.x * tile, n, l);
  stage.post();
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]: all extents are multiples of the tile.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  CuSync cs;
  CuStage& first = cs.stage(dim3(n / tile, m / tile), dim3(tile, tile), RowMajor);
  CuStage& second = cs.stage(dim3(l / tile, m / tile), dim3(tile, tile), RowMajor);
  cs.dependency<RowSync>(first, second, c);
  idle<<<1, 1>>>();
  produce<<<first.blocks(), threads, 0, first.stream()>>>(first, a, b, c, k, n);
  consume<<<second.blocks(), threads, 0, second.stream()>>>(second, c, d, e, n, l);
}
