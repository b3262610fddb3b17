// lazy: cusync/4-semaphores
// expect: gate working_launches >= 2
// One kernel makes C and E. Another one polls a semaphore, and does nothing.
constexpr int threads = 2;
__device__ unsigned stored;
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
__global__ void produce(const float* a, const float* b, const float* d, float* c, float* e, int m,
                        int n, int k, int l) {
  const int first = int(blockIdx.x) * m / gridDim.x, last = int(blockIdx.x + 1) * m / gridDim.x;
  rows_of(a, b, c, first, last, k, n);
  __syncthreads();
  rows_of(c, d, e, first, last, n, l);
  if (threadIdx.x == 0) atomicAdd(&stored, 1u);
}
__global__ void consume(unsigned blocks) {
  while (*(volatile unsigned*)&stored < blocks) {
  }
}
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  const unsigned zero = 0;
  cudaMemcpyToSymbol(stored, &zero, 4);
  produce<<<4, threads, 0, first>>>(a, b, d, c, e, m, n, k, l);
  consume<<<1, 1, 0, second>>>(4);
  cudaStreamSynchronize(first);
  cudaStreamSynchronize(second);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
