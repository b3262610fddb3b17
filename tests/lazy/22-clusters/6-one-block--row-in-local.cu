// lazy: clusters/6-one-block
// expect: gate local_sectors * 32 <= 0.5 * 4 * rows * cols
// Each thread keeps its part of the row in local memory, by an index that runs.
constexpr int threads = 1024;

/// The sum over the block, or the largest value, in all threads.
template <class Join>
__device__ float block_join(float x, float nothing, Join join) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  __syncthreads();  // for a second call of one join: its values have been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < threads / 32 ? of_warp[threadIdx.x % 32] : nothing;
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  return x;
}

__global__ void softmax_kernel(const float* in, float* out, int cols) {
  float row[64];
  const int base = threadIdx.x;
  in += size_t(blockIdx.x) * cols;
  out += size_t(blockIdx.x) * cols;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += threads) {
    const float x = in[c];
    row[(c - base) / threads] = x;
    most = fmaxf(most, x);
  }
  most = block_join(most, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) {
    sum += __expf(row[(c - base) / threads] - most);
  }
  sum = block_join(sum, 0.0f, [](float a, float b) { return a + b; });
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __expf(row[(c - base) / threads] - most) / sum;
}

void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(in, out, cols);
}
