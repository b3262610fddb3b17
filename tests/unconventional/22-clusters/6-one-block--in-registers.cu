// unconventional: clusters/6-one-block
// A row in the registers of 1024 threads.
constexpr int threads = 1024;

/// The sum over the block, or the largest value, in all threads.
template <class Join>
__device__ float block_join(float x, float nothing, Join join) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  __syncthreads();  // for a second call of one join: its values have been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < threads / 32 ? of_warp[threadIdx.x % 32] : nothing;
  for (int offset = 16; offset > 0; offset /= 2) x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  return x;
}

template <int EACH>
__global__ void __launch_bounds__(threads) softmax_kernel(const float* in, float* out, int cols) {
  in += size_t(blockIdx.x) * cols;
  out += size_t(blockIdx.x) * cols;
  float v[EACH], most = -INFINITY, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    const int c = threadIdx.x + k * threads;
    v[k] = c < cols ? in[c] : -INFINITY;
    most = fmaxf(most, v[k]);
  }
  most = block_join(most, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
  for (int k = 0; k < EACH; ++k) sum += v[k] = __expf(v[k] - most);
  sum = block_join(sum, 0.0f, [](float a, float b) { return a + b; });
#pragma unroll
  for (int k = 0; k < EACH; ++k)
    if (const int c = threadIdx.x + k * threads; c < cols) out[c] = v[k] / sum;
}

void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols <= 4096)
    softmax_kernel<4><<<rows, threads>>>(in, out, cols);
  else
    softmax_kernel<57><<<rows, threads>>>(in, out, cols);
}
