// unconventional: clusters/6-one-block
// The sum follows the largest value within one pass.
constexpr int threads = 1024;

struct State {
  float most, sum;  // the sum of exponentials relative to `most`
};

__device__ State join(State a, State b) {
  const float most = fmaxf(a.most, b.most);
  if (most == -INFINITY) return {most, 0.0f};
  return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

__device__ State warp_join(State s) {
  for (int offset = 16; offset > 0; offset /= 2)
    s = join(s, {__shfl_xor_sync(0xffffffff, s.most, offset), __shfl_xor_sync(0xffffffff, s.sum, offset)});
  return s;
}

__global__ void softmax_kernel(const float* in, float* out, int cols) {
  extern __shared__ float row[];
  __shared__ State of_warp[threads / 32];
  const size_t start = size_t(blockIdx.x) * cols;
  State s = {-INFINITY, 0.0f};
  for (int c = threadIdx.x; c < cols; c += threads) {
    const float x = row[c] = in[start + c];
    if (x > s.most) s = {x, s.sum * __expf(s.most - x)};
    s.sum += __expf(x - s.most);
  }
  s = warp_join(s);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = s;
  __syncthreads();
  s = of_warp[0];
  for (int w = 1; w < threads / 32; ++w) s = join(s, of_warp[w]);
  for (int c = threadIdx.x; c < cols; c += threads) out[start + c] = __expf(row[c] - s.most) / s.sum;
}

void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int bytes = cols * 4;
  cudaFuncSetAttribute(softmax_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  softmax_kernel<<<rows, threads, bytes>>>(in, out, cols);
}
