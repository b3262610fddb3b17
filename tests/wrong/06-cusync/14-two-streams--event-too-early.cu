// wrong: cusync/14-two-streams
// mistake: The event is recorded before C is launched, so it says nothing about C. Record it behind the launch that others wait for.
// expect: finding race
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

void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t c_stored;
  cudaEventCreate(&c_stored);
  cudaEventRecord(c_stored, first);
  if (m > 0) gemm<<<dim3(n / tile, m / tile), threads, 0, first>>>(a, b, c, k, n);
  if (few > 0) gemm<<<dim3(n / tile, few / tile), threads, 0, first>>>(a, b, c2, k, n);
  cudaStreamWaitEvent(second, c_stored, 0);
  if (m > 0) gemm<<<dim3(l / tile, m / tile), threads, 0, second>>>(c, d, e, n, l);
  if (few > 0) gemm<<<dim3(l / tile, few / tile), threads, 0, first>>>(c2, d, e2, n, l);
  cudaDeviceSynchronize();
  cudaEventDestroy(c_stored);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
