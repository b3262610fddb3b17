// Programmatic dependent launch: the hardware starts a kernel before the one in front of it has
// ended. The consumer's blocks start as slots become free, load their weights, and then wait for
// the whole producer. Half, tensor cores.
// Bound by launching and by latency: the tiles are small.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int tile = 16;  // a warp computes 16 x 16; 128 rows of the weights at a time
constexpr int threads = 32;
constexpr int panel = 128;

// Rows k0 to k0 + 127 of the weights' 16 columns from `column`, to shared memory.
__device__ void load_panel(half (*to)[tile], const half* y, int k0, int column, int inner,
                           int width) {
  for (int i = threadIdx.x; i < panel * tile / 8; i += threads) {
    const int k = i / 2;
    const int j = i % 2 * 8;
    if (k0 + k < inner)
      *reinterpret_cast<float4*>(&to[k][j]) =
          *reinterpret_cast<const float4*>(y + (k0 + k) * width + column + j);
  }
}

// Adds x's 16 rows from `row`, columns k0 to k0 + 127, times the panel.
__device__ void multiply(wmma::fragment<wmma::accumulator, 16, 16, 16, float>& sum, const half* x,
                         half (*ys)[tile], int row, int k0, int inner) {
  __syncthreads();
  for (int k = 0; k < panel && k0 + k < inner; k += tile) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v;
    wmma::load_matrix_sync(u, x + row * inner + k0 + k, inner);
    wmma::load_matrix_sync(v, &ys[k][0], tile);
    wmma::mma_sync(sum, u, v, sum);
  }
  __syncthreads();
}

__device__ void store(wmma::fragment<wmma::accumulator, 16, 16, 16, float>& sum, half* z, int row,
                      int column, int width) {
  __shared__ alignas(32) float out[tile][tile];
  wmma::store_matrix_sync(&out[0][0], sum, tile, wmma::mem_row_major);
  __syncwarp();
  const int i = threadIdx.x / 2;
  const int j = threadIdx.x % 2 * 8;
  for (int x = 0; x < 8; ++x) z[(row + i) * width + column + j + x] = __float2half(out[i][j + x]);
}

__global__ void produce(const half* a, const half* b, half* c, int k, int n) {
  __shared__ alignas(32) half ys[panel][tile];
  cudaTriggerProgrammaticLaunchCompletion();  // once all blocks have called it, the next may start
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < k; k0 += panel) {
    load_panel(ys, b, k0, blockIdx.x * tile, k, n);
    multiply(sum, a, ys, blockIdx.y * tile, k0, k);
  }
  store(sum, c, blockIdx.y * tile, blockIdx.x * tile, n);
}

__global__ void consume(const half* c, const half* d, half* e, int n, int l) {
  __shared__ alignas(32) half ys[panel][tile];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < n; k0 += panel) {
    load_panel(ys, d, k0, blockIdx.x * tile, n, l);  // depends on no other kernel
    // Until the producer has ended and its stores are visible.
    if (k0 == 0) cudaGridDependencySynchronize();
    multiply(sum, c, ys, blockIdx.y * tile, k0, n);
  }
  store(sum, e, blockIdx.y * tile, blockIdx.x * tile, l);
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]: all extents are multiples of 16.
void chain(const half* a, const half* b, const half* d, half* c, half* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  produce<<<dim3(n / tile, m / tile), threads>>>(a, b, c, k, n);
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(l / tile, m / tile);
  config.blockDim = dim3(threads);
  config.attrs = &early;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, consume, static_cast<const half*>(c), d, e, n, l);
}
