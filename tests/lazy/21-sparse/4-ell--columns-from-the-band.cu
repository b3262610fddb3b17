// lazy: sparse/4-ell
// expect: gate global_load_lane_bytes + shared_load_lane_bytes + 128 * texture_requests >= 11.5 * nonzeros
// The columns are never read: they follow from the known pattern of the input.
constexpr int threads = 128;

// The columns are not read: in a band, they follow from the row.
__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x, reach = width / 2;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[min(max(row - reach, 0) + k, rows - 1)];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows > 0) spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
