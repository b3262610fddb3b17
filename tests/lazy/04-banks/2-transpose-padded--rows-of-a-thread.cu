// lazy: banks/2-transpose-padded
// expect: gate global_load_sectors <= 1.05 * rows * cols / 8
// A thread loads eight floats of its row, and stores them down a column. Shared memory holds them in
// between, each thread in its own words.
__global__ void tr(const float* in, float* out, int rows, int cols) {
  __shared__ volatile float mine[8][128];
  int r = blockIdx.x * 32 + threadIdx.x, c0 = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
  int t = threadIdx.y * 32 + threadIdx.x;
  if (r >= rows) return;
  float v[8];
  if (cols % 4 == 0 && c0 + 8 <= cols) {
    float4 a = *(const float4*)(in + r * cols + c0), b = *(const float4*)(in + r * cols + c0 + 4);
    v[0] = a.x;
    v[1] = a.y;
    v[2] = a.z;
    v[3] = a.w;
    v[4] = b.x;
    v[5] = b.y;
    v[6] = b.z;
    v[7] = b.w;
  } else
    for (int k = 0; k < 8; ++k) v[k] = c0 + k < cols ? in[r * cols + c0 + k] : 0;
  for (int k = 0; k < 8; ++k) mine[k][t] = v[k];
  for (int k = 0; k < 8; ++k)
    if (c0 + k < cols) out[(c0 + k) * rows + r] = mine[k][t];
}
void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  tr<<<dim3((rows + 31) / 32, (cols + 31) / 32), dim3(32, 4)>>>(in, out, rows, cols);
}
