// wrong: banks/6-transpose-open
// mistake: The tile's place in the result is not turned: what was its first row must become its first column there, so the offsets change places too.
// expect: wrong
constexpr int T = 64, kThreads = 128, kLine = T / 4, kPasses = T * kLine / kThreads, kStep = kThreads / kLine;

// in is rows x cols, out is cols x rows, both row by row; rows and cols are multiples of 4.
__global__ void __launch_bounds__(kThreads) transpose_wide(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[T][T + 1];
  int x = threadIdx.x % kLine * 4, y = threadIdx.x / kLine;  // first column, row
  int col0 = (blockIdx.x + blockIdx.y) % gridDim.x * T, row0 = blockIdx.y * T;
  float4 v[kPasses];
#pragma unroll
  for (int j = 0; j < kPasses; ++j) {
    int row = row0 + y + kStep * j;
    v[j] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows && col0 + x < cols) v[j] = *reinterpret_cast<const float4*>(in + size_t(row) * cols + col0 + x);
  }
#pragma unroll
  for (int j = 0; j < kPasses; ++j) {
    float* line = &tile[y + kStep * j][x];
    line[0] = v[j].x, line[1] = v[j].y, line[2] = v[j].z, line[3] = v[j].w;
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kPasses; ++j) {
    int c = y + kStep * j;  // a column of the tile becomes a row of the result
    if (col0 + c < cols && row0 + x < rows)
      *reinterpret_cast<float4*>(out + size_t(row0 + c) * rows + col0 + x) =
          make_float4(tile[x][c], tile[x + 1][c], tile[x + 2][c], tile[x + 3][c]);
  }
}

// Rows that don't start on 16 bytes: the padded tile of step 2c.
__global__ void transpose_any(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = threadIdx.x % 32, y = threadIdx.x / 32, col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
  for (int j = y; j < 32; j += kThreads / 32)
    if (row0 + j < rows && col0 + x < cols) tile[j][x] = in[size_t(row0 + j) * cols + col0 + x];
  __syncthreads();
  for (int j = y; j < 32; j += kThreads / 32)
    if (col0 + j < cols && row0 + x < rows) out[size_t(col0 + j) * rows + row0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (rows % 4 == 0 && cols % 4 == 0)
    transpose_wide<<<dim3((cols + T - 1) / T, (rows + T - 1) / T), kThreads>>>(in, out, rows, cols);
  else
    transpose_any<<<dim3((cols + 31) / 32, (rows + 31) / 32), kThreads>>>(in, out, rows, cols);
}
