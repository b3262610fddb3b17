// wrong: softmax/12-layer-norm
// mistake: The kernel keeps 2048 columns, and rows may have 4096.
// expect: gate_failed gate right == 1 (cols=3332, rows=3)
// Layer norm: each row minus its mean, over its standard deviation, times gamma plus beta. One
// block per row, 16-byte loads, the row kept in registers. Columns: a multiple of 4, up to 4096.
// Bound by DRAM, if enough blocks load while others wait at their barriers. So a thread keeps no
// more float4 than its row has. The two sums have words of their own, which saves a barrier.
#include <cuda_runtime.h>

constexpr int threads = 256;

// The sum over the block, in every thread of it. `words` is used by this one call.
__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % (threads / 32)];
  for (int d = threads / 64; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// packs: float4 per thread, 256 x 4 x packs columns at most.
template <int packs>
__global__ void layer_norm_kernel(const float* x, const float* gamma, const float* beta, float* y,
                                  int cols, float eps) {
  __shared__ float words[2][threads / 32];
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
  float mean = block_sum(sum, words[0]) / cols;

  float squares = 0.0f;  // of the differences: E[x^2] - mean^2 would cancel when the mean is large
#pragma unroll
  for (int k = 0; k < packs; ++k)
    if (threadIdx.x + threads * k < row_packs) {
      v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
      squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
  float scale = rsqrtf(block_sum(squares, words[1]) / cols + eps);

#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    if (p < row_packs) {
      float4 g = reinterpret_cast<const float4*>(gamma)[p];
      float4 b = reinterpret_cast<const float4*>(beta)[p];
      out[p] = make_float4(v[k].x * scale * g.x + b.x, v[k].y * scale * g.y + b.y,
                           v[k].z * scale * g.z + b.z, v[k].w * scale * g.w + b.w);
    }
  }
}

void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols,
                float eps) {
  if (rows == 0 || cols == 0) return;
  auto kernel = cols <= 1024   ? layer_norm_kernel<1>
                : layer_norm_kernel<2>;
  kernel<<<rows, threads>>>(x, gamma, beta, y, cols, eps);
}
