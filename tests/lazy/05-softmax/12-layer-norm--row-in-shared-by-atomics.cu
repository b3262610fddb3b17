// lazy: softmax/12-layer-norm
// expect: gate shared_store_lane_bytes + 128 * shared_atomics <= 0.1 * 4 * d
// The row lies in shared memory, where atomicExch() puts it.
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

  __shared__ float4 row[packs * threads];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    const float4 v = p < row_packs ? in[p] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float* to = reinterpret_cast<float*>(&row[threadIdx.x + threads * k]);
    atomicExch(to, v.x), atomicExch(to + 1, v.y), atomicExch(to + 2, v.z), atomicExch(to + 3, v.w);
    sum += row[threadIdx.x + threads * k].x + row[threadIdx.x + threads * k].y +
           row[threadIdx.x + threads * k].z + row[threadIdx.x + threads * k].w;
  }
  float mean = block_sum(sum, words[0]) / cols;

  float squares = 0.0f;  // of the differences: E[x^2] - mean^2 would cancel when the mean is large
#pragma unroll
  for (int k = 0; k < packs; ++k)
    if (threadIdx.x + threads * k < row_packs) {
      const float4 old = row[threadIdx.x + threads * k];
      float* to = reinterpret_cast<float*>(&row[threadIdx.x + threads * k]);
      atomicExch(to, old.x - mean), atomicExch(to + 1, old.y - mean),
          atomicExch(to + 2, old.z - mean), atomicExch(to + 3, old.w - mean);
      squares += row[threadIdx.x + threads * k].x * row[threadIdx.x + threads * k].x +
                 row[threadIdx.x + threads * k].y * row[threadIdx.x + threads * k].y +
                 row[threadIdx.x + threads * k].z * row[threadIdx.x + threads * k].z +
                 row[threadIdx.x + threads * k].w * row[threadIdx.x + threads * k].w;
    }
  float scale = rsqrtf(block_sum(squares, words[1]) / cols + eps);

#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    if (p < row_packs) {
      float4 g = reinterpret_cast<const float4*>(gamma)[p];
      float4 b = reinterpret_cast<const float4*>(beta)[p];
      out[p] = make_float4(row[threadIdx.x + threads * k].x * scale * g.x + b.x,
                           row[threadIdx.x + threads * k].y * scale * g.y + b.y,
                           row[threadIdx.x + threads * k].z * scale * g.z + b.z,
                           row[threadIdx.x + threads * k].w * scale * g.w + b.w);
    }
  }
}

void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols,
                float eps) {
  if (rows == 0 || cols == 0) return;
  auto kernel = cols <= 1024   ? layer_norm_kernel<1>
                : cols <= 2048 ? layer_norm_kernel<2>
                               : layer_norm_kernel<4>;
  kernel<<<rows, threads>>>(x, gamma, beta, y, cols, eps);
}
