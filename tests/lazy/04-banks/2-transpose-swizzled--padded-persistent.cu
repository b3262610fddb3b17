// lazy: banks/2-transpose-swizzled
// expect: gate (static_smem + dynamic_smem) * max(blocks, ptx(bar.sync) * blocks / warps / 2) <= 4 * rows * cols
// A padded tile, rounded up to 1 KiB, in few blocks that loop over tiles.
__global__ void tr(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[1280];
  int tx = (cols + 31) / 32, ty = (rows + 31) / 32;
  for (int k = blockIdx.x; k < tx * ty; k += gridDim.x) {
    int c0 = k % tx * 32, r0 = k / tx * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
      if (r0 + j < rows && c0 + x < cols) tile[j * 33 + x] = in[(r0 + j) * cols + c0 + x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
      if (c0 + j < cols && r0 + x < rows) out[(c0 + j) * rows + r0 + x] = tile[x * 33 + j];
    __syncthreads();
  }
}
void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  tr<<<792, dim3(32, 8)>>>(in, out, rows, cols);
}
