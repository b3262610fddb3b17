// unconventional: banks/2-transpose-naive
__global__ void transpose_one(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 256 + threadIdx.x;
  const int row = blockIdx.y;
  if (col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_one<<<dim3((cols + 255) / 256, rows), 256>>>(in, out, rows, cols);
}
