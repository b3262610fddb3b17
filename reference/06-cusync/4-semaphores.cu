// C = A * B and E = C * D on two streams, joined by one semaphore: the number of stored tiles of
// C.
// Bound by its waves: every block of E waits for all of C.
constexpr int tile = 4;
constexpr int threads = 2;

__device__ unsigned stored;    // tiles of C; 0 before and after each run
__device__ unsigned finished;  // blocks of E

__device__ void post() {
  __syncthreads();  // every thread of the block has stored
  if (threadIdx.x == 0) {
    __threadfence();  // and what they stored is seen before the post
    atomicAdd(&stored, 1u);
  }
}

__device__ void wait(unsigned tiles) {
  if (threadIdx.x == 0) {
    while (*(volatile unsigned*)&stored < tiles) {
    }
    __threadfence();  // what was stored before the posts is read after this
  }
  __syncthreads();  // the other threads continue only now
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

__global__ void produce(const float* a, const float* b, float* c, int k, int n) {
  gemm_tile(a, b, c, blockIdx.y * tile, blockIdx.x * tile, k, n);
  post();
}

__global__ void consume(const float* c, const float* d, float* e, int n, int l, unsigned tiles) {
  wait(tiles);
  gemm_tile(c, d, e, blockIdx.y * tile, blockIdx.x * tile, n, l);
  // The last block of all resets the counters for the next run.
  if (threadIdx.x == 0 && atomicAdd(&finished, 1u) == gridDim.x * gridDim.y - 1) {
    stored = 0;
    finished = 0;
  }
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]: all extents are multiples of the tile.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  const dim3 c_tiles(n / tile, m / tile), e_tiles(l / tile, m / tile);
  produce<<<c_tiles, threads, 0, first>>>(a, b, c, k, n);
  consume<<<e_tiles, threads, 0, second>>>(c, d, e, n, l, c_tiles.x * c_tiles.y);
  cudaStreamSynchronize(first);
  cudaStreamSynchronize(second);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
