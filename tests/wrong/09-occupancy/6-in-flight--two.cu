// wrong: occupancy/6-in-flight
// mistake: Two chains fill two of four cycles. A result takes four cycles: it needs four chains at least.
// expect: gate_failed gate time_us <= 1.25 * reference(self)
// 64 times x = 0.875 x + 0.0625 for each element, by one block per SM that needs much shared memory.
constexpr int threads = 128, blocks = 132, rounds = 64, held = 100 * 1024;

__global__ void iterate_kernel(const float* in, float* out, int n) {
  const int all = blocks * threads;
  for (int first = blockIdx.x * threads + threadIdx.x; first < n; first += 2 * all) {
    float v[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) v[k] = first + k * all < n ? in[first + k * all] : 0.0f;
    for (int r = 0; r < rounds; ++r)
#pragma unroll
      for (int k = 0; k < 2; ++k) v[k] = 0.875f * v[k] + 0.0625f;  // two chains, none waits for another
#pragma unroll
    for (int k = 0; k < 2; ++k)
      if (first + k * all < n) out[first + k * all] = v[k];
  }
}

void iterate(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaFuncSetAttribute(iterate_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, held);
  iterate_kernel<<<blocks, threads, held>>>(in, out, n);
}
