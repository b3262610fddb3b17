// unconventional: sparse/6-segments
// A block searches once per thread; runs of a row are added up by a prefix sum over the block.
constexpr int threads = 128;
constexpr int share = 128;  // non-zeros per warp

// The row of non-zero k: the last one that begins at or before k.
__device__ int row_of(int k, const int* row_start, int rows) {
  int low = 0;  // row_start[low] <= k < row_start[high]
  int high = rows;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (row_start[middle] <= k) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows, int nonzeros) {
  __shared__ float sums[threads];
  __shared__ int owner[threads];
  const int t = threadIdx.x, k = blockIdx.x * threads + t;
  const int row = k < nonzeros ? row_of(k, row_start, rows) : -1;
  float sum = k < nonzeros ? value[k] * x[col[k]] : 0.0f;
  owner[t] = row;
  sums[t] = sum;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    const bool same = t >= step && owner[t - step] == row;
    const float other = same ? sums[t - step] : 0.0f;
    __syncthreads();
    sum += other;
    sums[t] = sum;
    __syncthreads();
  }
  if (row >= 0 && (t == threads - 1 || owner[t + 1] != row)) atomicAdd(&y[row], sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  constexpr int share_of_block = threads;
  const int blocks = (nonzeros + share_of_block - 1) / share_of_block;
  if (blocks > 0)
    spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows, nonzeros);
}
