// unconventional: reduce/5-sequential
// Warps that are done leave: a numbered barrier holds those that are left.
template <int left>
__device__ void rounds(float* s) {
  if constexpr (left > 0) {
    if (threadIdx.x >= left) return;
    s[threadIdx.x] += s[threadIdx.x + left];
    if constexpr (left > 32)
      asm volatile("bar.sync %0, %1;" ::"n"(left / 32), "n"(left) : "memory");
    else
      __syncwarp((1ull << left) - 1);
    rounds<left / 2>(s);
  }
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  rounds<128>(s);
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 255) / 256, 256>>>(in, partials, n);
}
