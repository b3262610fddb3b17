// lazy: clusters/2-rows
// expect: gate cluster_lane_bytes >= 0.4 * rows * cols
// A block takes eight rows by itself. It loads no more from global memory than a cluster does.
constexpr int threads = 256, rows_of_block = 8;

__global__ void columns_kernel(const float* in, float* out, int rows, int cols) {
  const int x = blockIdx.x * threads + threadIdx.x;
  const int first = blockIdx.y * rows_of_block;
  if (x >= cols) return;
  float above = first > 0 ? in[size_t(first - 1) * cols + x] : 0.0f;
  float here = in[size_t(first) * cols + x];
  for (int y = first; y < first + rows_of_block && y < rows; ++y) {
    const float below = y + 1 < rows ? in[size_t(y + 1) * cols + x] : 0.0f;
    out[size_t(y) * cols + x] = above + here + below;
    above = here;
    here = below;
  }
}

void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + threads - 1) / threads, (rows + rows_of_block - 1) / rows_of_block);
  columns_kernel<<<grid, threads>>>(in, out, rows, cols);
}
