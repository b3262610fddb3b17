// Two chains, of m rows and of `few`, both overlapped.
// Bound by waves: in one of the two chains overlapping only costs its instructions.
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

__global__ void gemm(const float* x, const float* y, float* z, int inner, int width) {
  gemm_tile(x, y, z, blockIdx.y * tile, blockIdx.x * tile, inner, width);
}

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

// Whether two kernels of so many blocks gain by overlapping, on a GPU that holds `capacity` blocks
// at once.
bool worth(int first, int second, int capacity) {
  return true;  // TODO: how many waves do they take one after the other, and how many together?
}

void one_chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n,
               int k, int l, int capacity) {
  const dim3 c_tiles(n / tile, m / tile), e_tiles(l / tile, m / tile);
  if (worth(c_tiles.x * c_tiles.y, e_tiles.x * e_tiles.y, capacity)) {
    CuSync cs;
    CuStage& first = cs.stage(c_tiles, dim3(tile, tile), RowMajor);
    CuStage& second = cs.stage(e_tiles, dim3(tile, tile), RowMajor);
    cs.dependency<RowSync>(first, second, c);
    produce<<<first.blocks(), threads, 0, first.stream()>>>(first, a, b, c, k, n);
    second.waitKernel();
    consume<<<second.blocks(), threads, 0, second.stream()>>>(second, c, d, e, n, l);
  } else {
    gemm<<<c_tiles, threads>>>(a, b, c, k, n);
    gemm<<<e_tiles, threads>>>(c, d, e, n, l);
    cudaDeviceSynchronize();
  }
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]. c2 and e2 are these products for the first
// `few` rows of A.
void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (m > 0) one_chain(a, b, d, c, e, m, n, k, l, sms);
  if (few > 0) one_chain(a, b, d, c2, e2, few, n, k, l, sms);
}
