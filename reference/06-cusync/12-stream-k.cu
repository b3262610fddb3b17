// Stream-K: the steps along k of all tiles are distributed, the same number per SM. A block that
// begins inside a tile hands its sums to the block that began that tile.
// Bound by work alone: 6 tiles on 4 SMs take the time of 1.5 tiles.
constexpr int tile = 4;  // a thread for each element; a step is 4 products
constexpr int threads = tile * tile;
constexpr int depth = 4;
constexpr int most_blocks = 1024;

__device__ float partial[most_blocks][threads];  // sums of the tile inside which a block began
__device__ unsigned ready[most_blocks];          // 0 before and after each run

__device__ void post(unsigned* semaphore) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(semaphore, 1u);
  }
}

__device__ void wait(unsigned* semaphore) {
  if (threadIdx.x == 0) {
    while (*(volatile unsigned*)semaphore == 0) {
    }
    __threadfence();
    *semaphore = 0;  // no other block waits for it
  }
  __syncthreads();
}

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int steps = k / depth;
  const int across = n / tile;
  const long long total = (long long)across * (m / tile) * steps;
  const int blocks = gridDim.x;
  const int i = threadIdx.x / tile;
  const int j = threadIdx.x % tile;
  int at = int(total * blockIdx.x / blocks);
  // The same number of steps for every block.
  const int end = int(total * (blockIdx.x + 1) / blocks);
  while (at < end) {
    const int which = at / steps;
    const int first = at % steps;
    const int last = min(steps, first + end - at);
    const int row = which / across * tile + i;
    const int column = which % across * tile + j;
    float sum = 0.0f;
#pragma unroll 1
    for (int x = first * depth; x < last * depth; ++x) sum += a[row * k + x] * b[x * n + column];
    if (first > 0) {
      partial[blockIdx.x][threadIdx.x] = sum;
      post(&ready[blockIdx.x]);
    } else {
      int other = blockIdx.x;
      int done = last;
      while (done < steps) {  // the blocks after this one do the rest
        ++other;
        wait(&ready[other]);
        sum += partial[other][threadIdx.x];
        done = min(steps, int(total * (other + 1) / blocks) - which * steps);
      }
      c[row * n + column] = sum;
    }
    at += last - first;
  }
}

// C[m x n] = A[m x k] * B[k x n]: all extents are multiples of 4.
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    cudaMemset(c, 0, sizeof(float) * m * n);
    return;
  }
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int steps = (m / tile) * (n / tile) * (k / depth);
  const int blocks = min(min(sms, most_blocks), steps);  // all are resident at once
  gemm<<<blocks, threads>>>(a, b, c, m, n, k);
}
