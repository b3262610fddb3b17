// unconventional: sparse/4-ell
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  for (int row = blockIdx.x * threads + threadIdx.x; row < rows; row += gridDim.x * threads) {
    float sum[2] = {};
    const int* c = col + row;
    const float* v = value + row;
#pragma unroll 4
    for (int k = 0; k < width; ++k, c += rows, v += rows)
      sum[k & 1] = fmaf(__ldcs(v), __ldg(x + __ldcs(c)), sum[k & 1]);
    y[row] = sum[0] + sum[1];
  }
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
