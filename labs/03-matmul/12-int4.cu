// y = W x, weights of 4 bits, 8 per word, with a scale per 32 weights. The first launch unpacks
// them into a matrix of floats, the second multiplies. Bound by the first: a thread per weight.
constexpr int threads = 128;

// packed [rows][cols / 8], scale [rows][cols / 32], w [rows][cols]; cols is a multiple of 32.
__global__ void unpack(const unsigned* packed, const float* scale, float* w, int count) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  const int value = (packed[i / 8] >> (4 * (i % 8))) & 15;
  w[i] = scale[i / 32] * (value - 8);
}

// TODO: multiply by the packed words. Unpack eight weights in registers.
__global__ void gemv(const float* w, const float* x, float* y, int rows, int cols) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += w[row * cols + c] * x[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
           int cols) {
  if (rows == 0) return;
  const int count = rows * cols;
  float* w;
  cudaMalloc(&w, count * sizeof(float));
  if (count > 0) unpack<<<(count + threads - 1) / threads, threads>>>(packed, scale, w, count);
  constexpr int rows_per_block = threads / 32;
  gemv<<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(w, x, y, rows, cols);
  cudaFree(w);
}
