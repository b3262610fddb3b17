// lazy: sparse/9-open
// expect: gate global_load_sectors + texture_sectors <= 2.2 * nonzeros
// Few instructions, since each thread searches once for 32 non-zeros. But lanes read 128 bytes apart.
constexpr int threads = 128;
constexpr int share = 32;  // non-zeros per thread

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
  const int begin = (blockIdx.x * threads + threadIdx.x) * share;
  const int end = min(begin + share, nonzeros);
  if (begin >= end) return;
  int row = row_of(begin, row_start, rows);
  int stop = row_start[row + 1];
  float sum = 0;
  for (int k = begin; k < end; ++k) {
    while (k >= stop) {
      atomicAdd(&y[row], sum);
      sum = 0;
      stop = row_start[++row + 1];
    }
    sum += value[k] * x[col[k]];
  }
  atomicAdd(&y[row], sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  const int share_of_block = threads * share;
  const int blocks = (nonzeros + share_of_block - 1) / share_of_block;
  if (blocks > 0)
    spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows, nonzeros);
}
