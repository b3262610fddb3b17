// The kernels of hops.cu: blocks post sums and flags; one block of a later kernel takes them one after another.
#pragma once

__global__ void post(unsigned* flags, float* partial, int apart) {
  partial[blockIdx.x * 16 + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(flags + blockIdx.x * apart, 1u);
  }
}

template <bool fence, bool clear, bool sums>
__device__ void hop(unsigned* flags, const float* partial, float* out, int hops, int apart) {
  float sum = 0;
#pragma unroll 1
  for (int h = 0; h < hops; ++h) {
    if (threadIdx.x == 0) {
      while (*(volatile unsigned*)(flags + h * apart) == 0) {
      }
      if (fence) __threadfence();
      if (clear) flags[h * apart] = 0;
    }
    __syncthreads();
    if (sums) sum += partial[h * 16 + threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
__global__ void look(unsigned* f, const float* p, float* o, int n, int apart) { hop<false, false, false>(f, p, o, n, apart); }
__global__ void look_clear(unsigned* f, const float* p, float* o, int n, int apart) { hop<false, true, false>(f, p, o, n, apart); }
__global__ void look_sum(unsigned* f, const float* p, float* o, int n, int apart) { hop<false, false, true>(f, p, o, n, apart); }
__global__ void look_fence(unsigned* f, const float* p, float* o, int n, int apart) { hop<true, false, false>(f, p, o, n, apart); }
__global__ void look_fence_sum(unsigned* f, const float* p, float* o, int n, int apart) { hop<true, false, true>(f, p, o, n, apart); }
__global__ void look_fence_clear_sum(unsigned* f, const float* p, float* o, int n, int apart) { hop<true, true, true>(f, p, o, n, apart); }
