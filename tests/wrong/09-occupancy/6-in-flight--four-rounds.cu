// wrong: occupancy/6-in-flight
// mistake: The number of rounds is written in. It fits the step's own size, and a larger one is left unfinished.
// expect: gate_failed gate right == 1 (n=700003)
// 64 times x = 0.875 x + 0.0625 for each element, by one block per SM that needs much shared
// memory.
// Bound by latency: a warp waits once for eight loads. Then eight independent chains let it issue a
// multiply-add in every cycle.
constexpr int threads = 128;
constexpr int blocks = 132;
constexpr int rounds = 64;
constexpr int held = 100 * 1024;  // bytes of shared memory
constexpr int chains = 8;

__global__ void iterate_kernel(const float* in, float* out, int n) {
  const int all = blocks * threads;
  const int at = blockIdx.x * threads + threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    const int first = at + round * chains * all;
    float v[chains];
#pragma unroll
    for (int k = 0; k < chains; ++k) v[k] = first + k * all < n ? in[first + k * all] : 0.0f;
    for (int r = 0; r < rounds; ++r)
#pragma unroll
      for (int k = 0; k < chains; ++k)
        v[k] = 0.875f * v[k] + 0.0625f;  // no chain waits for another
#pragma unroll
    for (int k = 0; k < chains; ++k)
      if (first + k * all < n) out[first + k * all] = v[k];
  }
}

void iterate(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaFuncSetAttribute(iterate_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, held);
  iterate_kernel<<<blocks, threads, held>>>(in, out, n);
}
