// unconventional: banks/2-transpose-naive
__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows || col >= cols) return;
  if (cols % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(in + size_t(row) * cols + col);
    out[size_t(col) * rows + row] = v.x;
    out[size_t(col + 1) * rows + row] = v.y;
    out[size_t(col + 2) * rows + row] = v.z;
    out[size_t(col + 3) * rows + row] = v.w;
  } else {
    for (int c = col; c < min(col + 4, cols); ++c) out[size_t(c) * rows + row] = in[size_t(row) * cols + c];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 block(8, 32);
  transpose_rows<<<dim3((cols + 31) / 32, (rows + 31) / 32), block>>>(in, out, rows, cols);
}
