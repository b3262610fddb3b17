// wrong: softmax/12-rms-norm
// mistake: The kernel keeps 2048 columns, and rows may have 4096.
// expect: gate_failed gate right == 1 (cols=3332, rows=3)
// RMS norm: each row over the root of its mean square, times gamma. One block per row, 16-byte
// loads, the row kept in registers. Columns: a multiple of 4, up to 4096.
// Bound by DRAM.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int packs = 2;

__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % (threads / 32)];
  for (int d = threads / 64; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void rms_norm_kernel(const float* x, const float* gamma, float* y, int cols, float eps) {
  __shared__ float words[threads / 32];
  const float4* in = reinterpret_cast<const float4*>(x + size_t(blockIdx.x) * cols);
  float4* out = reinterpret_cast<float4*>(y + size_t(blockIdx.x) * cols);
  int row_packs = cols / 4;

  float4 v[packs];
  float squares = 0.0f;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    v[k] = p < row_packs ? in[p] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  }
  float scale = rsqrtf(block_sum(squares, words) / cols + eps);

#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int p = threadIdx.x + threads * k;
    if (p < row_packs) {
      float4 g = reinterpret_cast<const float4*>(gamma)[p];
      out[p] = make_float4(v[k].x * scale * g.x, v[k].y * scale * g.y, v[k].z * scale * g.z,
                           v[k].w * scale * g.w);
    }
  }
}

void rms_norm(const float* x, const float* gamma, float* y, int rows, int cols, float eps) {
  if (rows == 0 || cols == 0) return;
  rms_norm_kernel<<<rows, threads>>>(x, gamma, y, cols, eps);
}
