// The kernels of partial_stores.cu, without a clock, so that the SIMT machine's time model can run them too.
#pragma once

/// `rounds` stores of each thread, of a T at `stride` bytes from the next lane's. Each store of a warp has 32
/// strides of its own until `bytes` (a power of two) are full; then it starts again.
template <typename T>
__device__ inline void partial_stores_body(char* out, unsigned stride, unsigned rounds, unsigned bytes) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r)
    *reinterpret_cast<T*>(out + ((r * all + thread) * stride & (bytes - 1))) = T{};
}
