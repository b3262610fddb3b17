// unconventional: banks/2-transpose-swizzled
constexpr int side = 64, threads = 256;

struct Tile {
  float at[side * side];
  __device__ float& operator()(int r, int c) { return at[r * side + ((c + r) & (side - 1))]; }
};

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ Tile tile;
  const int col0 = blockIdx.x * side, row0 = blockIdx.y * side;
  for (int e = threadIdx.x; e < side * side; e += threads) {
    const int r = e / side, c = e % side;
    if (row0 + r < rows && col0 + c < cols) tile(r, c) = in[(row0 + r) * cols + col0 + c];
  }
  __syncthreads();
  for (int e = threadIdx.x; e < side * side; e += threads) {
    const int r = e % side, c = e / side;
    if (row0 + r < rows && col0 + c < cols) out[(col0 + c) * rows + row0 + r] = tile(r, c);
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_tile<<<dim3((cols + side - 1) / side, (rows + side - 1) / side), threads>>>(in, out, rows, cols);
}
