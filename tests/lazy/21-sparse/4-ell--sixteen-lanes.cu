// lazy: sparse/4-ell
// expect: gate global_load_sectors + texture_sectors <= 0.6 * nonzeros
// 16 lanes per row: two rows per warp, so a request still touches 16 sectors.
constexpr int threads = 128;
constexpr int lanes = 16;  // per row
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = (blockIdx.x * threads + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  float sum = 0;
  for (int k = row < rows ? lane : width; k < width; k += lanes)
    sum += value[k * rows + row] * x[col[k * rows + row]];
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0 && row < rows) y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / lanes;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(col, value, x, y, rows, width);
}
