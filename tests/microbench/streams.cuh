// The kernels of streams.cu, without a clock, so that the SIMT machine's time model can run the same ones
// (tests/simt/timing_streams.cpp). Blocks of 256 threads; all pointers are of buffers that no kernel shares with the one before.
#pragma once

/// Each thread reads T float4, a block's width apart, all in flight at once.
template <int T> __device__ void read_body(const float4* in, float4* out) {
  float4 v[T];
  const int at = blockIdx.x * T * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < T; ++k) v[k] = in[at + k * 256];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < T; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
  if (sum == 12345.0f) out[at].x = sum;
}

template <int T> __device__ void write_body(const float4*, float4* out) {
  const int at = blockIdx.x * T * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < T; ++k) out[at + k * 256] = make_float4(1, 2, 3, 4);
}

template <int T> __device__ void copy_body(const float4* in, float4* out) {
  float4 v[T];
  const int at = blockIdx.x * T * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < T; ++k) v[k] = in[at + k * 256];
#pragma unroll
  for (int k = 0; k < T; ++k) out[at + k * 256] = v[k];
}

/// As a tile that goes through shared memory: nobody stores before all of the block have loaded.
template <int T> __device__ void barrier_body(const float4* in, float4* out) {
  float4 v[T];
  const int at = blockIdx.x * T * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < T; ++k) v[k] = in[at + k * 256];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < T; ++k) out[at + k * 256] = v[k];
}

/// A block of 512 threads reads L float4 a thread at once, works for `turns` turns of eight dependent multiply-adds, and lets one
/// thread store and fence `fences` times while the others wait. How many blocks an SM holds, the dynamic shared memory says.
template <int L> __device__ void burst_body(const float4* in, float* out, int turns, int fences) {
  float4 v[L];
  const int at = blockIdx.x * L * 512 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < L; ++k) v[k] = in[at + k * 512];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < L; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) sum = sum * 0.9999f + 0.25f;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < fences; ++k) {
      out[blockIdx.x] = sum;
      __threadfence();
    }
  __syncthreads();
  if (sum == 12345.0f) out[0] = sum;
}
