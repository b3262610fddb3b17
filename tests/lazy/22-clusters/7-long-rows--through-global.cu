// lazy: clusters/7-long-rows
// expect: gate right == 0 (simt:h100-alone)
// No cluster: the blocks of a row meet at counters in global memory.
constexpr int threads = 1024, size = 8;
__device__ float most_of[16 * 4096];
__device__ float sum_of[16 * 4096];
__device__ int arrived[2 * 4096];
template <class Join>
__device__ float block_join(float x, float nothing, Join join) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = of_warp[threadIdx.x % 32];
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  return x;
}
__device__ void meet(int* counter) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(counter, 1);
    while (atomicAdd(counter, 0) < size) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void softmax_kernel(const float* in, float* out, int cols, int share) {
  extern __shared__ float part[];
  const int row = blockIdx.x / size, rank = blockIdx.x % size;
  const int first = rank * share;
  const int mine = max(0, min(share, cols - first));
  const size_t start = size_t(row) * cols + first;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = in[start + c];
    most = fmaxf(most, part[c]);
  }
  most = block_join(most, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0) most_of[blockIdx.x] = most;
  meet(&arrived[2 * row]);
  most = most_of[row * size];
  for (int k = 1; k < size; ++k) most = fmaxf(most, most_of[row * size + k]);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = __expf(part[c] - most);
    sum += part[c];
  }
  sum = block_join(sum, 0.0f, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) sum_of[blockIdx.x] = sum;
  meet(&arrived[2 * row + 1]);
  sum = 0;
  for (int k = 0; k < size; ++k) sum += sum_of[row * size + k];
  for (int c = threadIdx.x; c < mine; c += threads) out[start + c] = part[c] / sum;
}
void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int share = (cols + size - 1) / size;
  void* p;
  cudaGetSymbolAddress(&p, arrived);
  cudaMemset(p, 0, sizeof(int) * 2 * rows);
  softmax_kernel<<<rows * size, threads, share * 4>>>(in, out, cols, share);
}
