// wrong: cusync/12-persistent
// mistake: The flag of the last row is not cleared: in the next call its consumer does not wait.
// expect: finding race
// One kernel for both products: as many blocks as the GPU has SMs compute all tiles, those of C
// first. No second launch and no wait kernel; rows are waited for as with RowSync.
// Bound by its waves.
constexpr int tile = 4;
constexpr int threads = 2;
constexpr int most_rows = 1024;

__device__ unsigned finished, stored[most_rows];  // all 0 before and after each run

__device__ void post(unsigned* semaphore) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(semaphore, 1u);
  }
}

__device__ void wait(unsigned* semaphore, unsigned tiles) {
  if (threadIdx.x == 0) {
    while (*(volatile unsigned*)semaphore < tiles) {
    }
    __threadfence();
  }
  __syncthreads();
}

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

__global__ void both(const float* a, const float* b, const float* d, float* c, float* e, int m,
                     int n, int k, int l) {
  const int rows = m / tile;
  const int c_across = n / tile;
  const int e_across = l / tile;
  const int c_tiles = rows * c_across;
  const int all = c_tiles + rows * e_across;
  for (int t = blockIdx.x; t < all; t += gridDim.x) {
    if (t < c_tiles) {
      const int row = t / c_across;
      const int column = t % c_across;
      gemm_tile(a, b, c, row * tile, column * tile, k, n);
      post(&stored[row]);
    } else {
      const int row = (t - c_tiles) / e_across;
      const int column = (t - c_tiles) % e_across;
      wait(&stored[row], c_across);
      gemm_tile(c, d, e, row * tile, column * tile, n, l);
    }
  }
  // The last block resets the counters for the next run.
  if (threadIdx.x == 0) {
    __threadfence();  // this block's posts come before its count
    if (atomicAdd(&finished, 1u) == gridDim.x - 1) {
      __threadfence();  // and the reset comes after the posts of all blocks
      finished = 0;
      for (int row = 0; row < rows - 1; ++row) stored[row] = 0;
    }
  }
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]: all extents are multiples of the tile.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  both<<<sms, threads>>>(a, b, d, c, e, m, n, k, l);
}
