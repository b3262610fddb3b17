// unconventional: sparse/5-split
// Shares by the block: its products go through shared memory, and each thread takes some rows.
constexpr int threads = 128;
constexpr int items = 3;  // per thread
constexpr int tile = threads * items;

// Of the first `count` items, how many are ends of rows? The end of a row comes before non-zero k
// if the row ends at or before k.
__device__ int ends_before(int count, const int* row_end, int rows, int nonzeros) {
  int low = max(0, count - nonzeros);
  int high = min(count, rows);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (row_end[middle] <= count - 1 - middle) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows, int nonzeros) {
  __shared__ int edge[2];  // ends of rows before the tile, and up to its end
  __shared__ int row_end[tile];
  __shared__ float product[tile];
  const int first = blockIdx.x * tile;
  const int last = min(first + tile, rows + nonzeros);
  if (threadIdx.x < 2)
    edge[threadIdx.x] =
        ends_before(threadIdx.x == 0 ? first : last, row_start + 1, rows, nonzeros);
  __syncthreads();
  const int row0 = edge[0];
  const int k0 = first - row0;
  const int tile_rows = edge[1] - row0;
  const int tile_nonzeros = last - first - tile_rows;
  for (int i = threadIdx.x; i < tile_nonzeros; i += threads)
    product[i] = value[k0 + i] * x[col[k0 + i]];
  for (int i = threadIdx.x; i < tile_rows; i += threads)
    row_end[i] = row_start[row0 + i + 1] - k0;
  __syncthreads();

  for (int row = threadIdx.x; row <= tile_rows; row += threads) {  // the last one does not end here
    const int begin = row == 0 ? 0 : row_end[row - 1];
    const int end = row == tile_rows ? tile_nonzeros : row_end[row];
    float sum = 0;
    for (int k = begin; k < end; ++k) sum += product[k];
    if (begin < end) atomicAdd(&y[row0 + row], sum);
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  spmv_kernel<<<(rows + nonzeros + tile - 1) / tile, threads>>>(row_start, col, value, x, y, rows,
                                                                nonzeros);
}
