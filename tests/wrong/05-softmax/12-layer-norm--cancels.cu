// wrong: softmax/12-layer-norm
// mistake: E[x^2] - mean^2 loses all digits when the mean is large: sum the squares of the differences.
// expect: wrong
// Layer norm: each row minus its mean, over its standard deviation, times gamma plus beta. One
// block per row, 16-byte loads, the row kept in registers. Bound by DRAM. Columns: a multiple of 4,
// up to 4096.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int packs = 4;  // float4 a thread: 256 x 4 x 4 = 4096 columns

__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  __syncthreads();  // words may still be read from the time before
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % (threads / 32)];
  for (int d = threads / 64; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void layer_norm_kernel(const float* x, const float* gamma, const float* beta, float* y,
                                  int cols, float eps) {
  __shared__ float words[threads / 32];
  const float4* in = reinterpret_cast<const float4*>(x + size_t(blockIdx.x) * cols);
  float4* out = reinterpret_cast<float4*>(y + size_t(blockIdx.x) * cols);
  int row_packs = cols / 4;

  float4 v[packs];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    v[k] = p < row_packs ? in[p] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  float mean = block_sum(sum, words) / cols;

  float squares = 0.0f;  // of the differences: E[x^2] - mean^2 would cancel when the mean is large
#pragma unroll
  for (int k = 0; k < packs; ++k)
    if (threadIdx.x + threads * k < row_packs) {
      squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
  float scale = rsqrtf(block_sum(squares, words) / cols - mean * mean + eps);

#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    if (p < row_packs) {
      float4 g = reinterpret_cast<const float4*>(gamma)[p];
      float4 b = reinterpret_cast<const float4*>(beta)[p];
      out[p] =
          make_float4((v[k].x - mean) * scale * g.x + b.x, (v[k].y - mean) * scale * g.y + b.y,
                      (v[k].z - mean) * scale * g.z + b.z, (v[k].w - mean) * scale * g.w + b.w);
    }
  }
}

void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols,
                float eps) {
  if (rows == 0 || cols == 0) return;
  layer_norm_kernel<<<rows, threads>>>(x, gamma, beta, y, cols, eps);
}
