// unconventional: sparse/5-split
// A warp per row; rows of more than 256 non-zeros are listed, and a second launch shares them out.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int most_long = 1 << 16;
__device__ int long_rows[most_long];
__device__ int long_count;
__device__ float warp_sum(float sum) {
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  return sum;
}
__global__ void short_kernel(const int* row_start, const int* col, const float* value,
                             const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int begin = row_start[row], end = row_start[row + 1];
  if (end - begin > 256) {
    if (lane == 0) {
      y[row] = 0;
      long_rows[atomicAdd(&long_count, 1)] = row;
    }
    return;
  }
  float sum = 0;
  for (int k = begin + lane; k < end; k += 32) sum += value[k] * x[col[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void long_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y) {
  const int lane = threadIdx.x % 32;
  for (int r = blockIdx.y; r < long_count; r += gridDim.y) {
    const int row = long_rows[r], end = row_start[row + 1];
    float sum = 0;
    for (int k = row_start[row] + blockIdx.x * threads + threadIdx.x; k < end;
         k += gridDim.x * threads)
      sum += value[k] * x[col[k]];
    sum = warp_sum(sum);
    if (lane == 0 && sum != 0) atomicAdd(&y[row], sum);
  }
}
void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  int* count;
  cudaGetSymbolAddress((void**)&count, long_count);
  cudaMemset(count, 0, sizeof(int));
  short_kernel<<<(rows + 3) / 4, threads>>>(row_start, col, value, x, y, rows);
  long_kernel<<<dim3(32, 32), threads>>>(row_start, col, value, x, y);
}
