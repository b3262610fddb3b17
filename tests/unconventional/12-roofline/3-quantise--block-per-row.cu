// unconventional: roofline/3-quantise
// One block of 128 threads per row; the four bytes of an int are taken apart by shifts.
constexpr int threads = 128;

__device__ float weight(int word, int k) {
  return float((word << (24 - 8 * k)) >> 24);  // byte k with its sign
}

__global__ void gemv_kernel(const signed char* q, const float* scale, const float* x, float* y,
                            int cols) {
  __shared__ float partial[threads / 32];
  const signed char* row = q + size_t(blockIdx.x) * cols;
  float sum = 0.0f;
  if (cols % 4 == 0) {
    for (int p = threadIdx.x; p < cols / 4; p += threads) {
      const int word = reinterpret_cast<const int*>(row)[p];
      const float4 v = reinterpret_cast<const float4*>(x)[p];
      sum += weight(word, 0) * v.x + weight(word, 1) * v.y + weight(word, 2) * v.z +
             weight(word, 3) * v.w;
    }
  } else {
    for (int c = threadIdx.x; c < cols; c += threads) sum += row[c] * x[c];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < threads / 32; ++w) sum += partial[w];
  y[blockIdx.x] = scale[blockIdx.x] * sum;
}

void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y,
          int rows, int cols) {
  if (rows == 0) return;
  gemv_kernel<<<rows, threads>>>(q, scale, x, y, cols);
}
