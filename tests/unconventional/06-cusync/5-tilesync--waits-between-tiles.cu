// unconventional: cusync/5-tilesync
// A block multiplies with a tile of C before it waits for the next one. Sums stay in registers.
#include <cusync.cuh>
constexpr int tile = 4;
constexpr int threads = 2;
constexpr int rows_each = tile / threads;

struct Sums {
  float s[rows_each][tile] = {};
  // adds x[row .. row + 3][k0 .. k0 + depth) * y[k0 .. ][column .. column + 3]
  __device__ void add(const float* x, const float* y, int row, int column, int k0, int depth,
                      int inner, int width) {
#pragma unroll 1
    for (int k = k0; k < k0 + depth; ++k)
#pragma unroll
      for (int r = 0; r < rows_each; ++r) {
        const float f = x[(row + threadIdx.x + r * threads) * inner + k];
#pragma unroll
        for (int j = 0; j < tile; ++j) s[r][j] += f * y[k * width + column + j];
      }
  }
  __device__ void store(float* z, int row, int column, int width) const {
    for (int r = 0; r < rows_each; ++r)
      for (int j = 0; j < tile; ++j)
        z[(row + threadIdx.x + r * threads) * width + column + j] = s[r][j];
  }
};

__global__ void produce(CuStage stage, const float* a, const float* b, float* c, int k, int n) {
  stage.start();
  const uint2 t = stage.tile();
  Sums sums;
  sums.add(a, b, t.y * tile, t.x * tile, 0, k, k, n);
  sums.store(c, t.y * tile, t.x * tile, n);
  stage.post();
}

__global__ void consume(CuStage stage, const float* c, const float* d, float* e, int n, int l) {
  stage.start();
  const uint2 t = stage.tile();
  Sums sums;
  for (int column = 0; column < n / tile; ++column) {
    stage.wait(c, t.y, column);
    sums.add(c, d, t.y * tile, t.x * tile, column * tile, tile, n, l);
  }
  sums.store(e, t.y * tile, t.x * tile, l);
  stage.post();
}

void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  CuSync cs;
  CuStage& first = cs.stage(dim3(n / tile, m / tile), dim3(tile, tile), RowMajor);
  CuStage& second = cs.stage(dim3(l / tile, m / tile), dim3(tile, tile), RowMajor);
  cs.dependency<TileSync>(first, second, c);
  produce<<<first.blocks(), threads, 0, first.stream()>>>(first, a, b, c, k, n);
  consume<<<second.blocks(), threads, 0, second.stream()>>>(second, c, d, e, n, l);
}
