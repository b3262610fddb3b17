// unconventional: sparse/3-lanes
template <int lanes>
__global__ void spmv_kernel(const int* __restrict__ row_start, const int* __restrict__ col,
                            const float* __restrict__ value, const float* __restrict__ x,
                            float* __restrict__ y, int rows) {
  // Block of lanes x rows.
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int begin = row < rows ? __ldg(row_start + row) : 0,
            end = row < rows ? __ldg(row_start + row + 1) : 0;
  float sum = 0;
#pragma unroll 2
  for (int k = begin + threadIdx.x; k < end; k += lanes)
    sum += __ldcs(value + k) * __ldg(x + __ldcs(col + k));
#pragma unroll
  for (int d = 1; d < lanes; d <<= 1) sum += __shfl_down_sync(~0u, sum, d, lanes);
  if (threadIdx.x == 0 && row < rows) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows > 0) spmv_kernel<4><<<(rows + 31) / 32, dim3(4, 32)>>>(row_start, col, value, x, y, rows);
}
