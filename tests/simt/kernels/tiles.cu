// A producer with six tiles and a consumer with six; the consumer's tile i needs the producer's row i / 2.
__device__ void work(float* x, int n) {
  float v = x[threadIdx.x];
  for (int i = 0; i < n; ++i) v = v * 1.001f + 1.0f;
  x[threadIdx.x] = v;
}
__global__ void produce(float* x, unsigned* rows, int n) {
  work(x + blockIdx.x * 32, n);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(rows + blockIdx.x / 2, 1u);
  }
}
__global__ void consume(float* y, const float* x, volatile unsigned* rows, int n, int wait) {
  if (wait && threadIdx.x == 0) {
    while (rows[blockIdx.x / 2] < 2u) {
    }
    __threadfence();
  }
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = x[blockIdx.x / 2 * 64 + threadIdx.x];
  work(y + blockIdx.x * 32, n);
}
__global__ void produce_and_say(float* x, unsigned* rows, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(rows + 7, 1u);
  work(x + blockIdx.x * 32, n);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(rows + blockIdx.x / 2, 1u);
  }
}
__global__ void wait_for_start(volatile unsigned* rows) {
  while (rows[7] == 0u) {
  }
}
