// unconventional: sparse/1-scalar
struct Csr {
  const int* __restrict__ start;
  const int* __restrict__ col;
  const float* __restrict__ value;
  template <class Use>
  __device__ void each(int row, Use use) const {
    for (int k = __ldg(start + row), end = __ldg(start + row + 1); k != end; ++k)
      use(__ldg(col + k), __ldg(value + k));
  }
};

__global__ void __launch_bounds__(64)
    spmv_kernel(Csr a, const float* __restrict__ x, float* __restrict__ y, int rows) {
  const int row = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  a.each(row, [&](int c, float v) { sum = fmaf(v, __ldg(x + c), sum); });
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows > 0) spmv_kernel<<<(rows + 63) / 64, dim3(32, 2)>>>({row_start, col, value}, x, y, rows);
}
