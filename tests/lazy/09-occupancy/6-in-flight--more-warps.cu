// lazy: occupancy/6-in-flight
// expect: gate threads <= 132 * 128
// Eight times the warps hide the latency, but the step allows four per SM.
constexpr int threads = 1024;
constexpr int blocks = 132;
constexpr int rounds = 64;
constexpr int held = 100 * 1024;

__global__ void iterate_kernel(const float* in, float* out, int n) {
  const int all = blocks * threads;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += all) {
    float v = in[i];
    for (int r = 0; r < rounds; ++r) v = 0.875f * v + 0.0625f;
    out[i] = v;
  }
}

void iterate(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaFuncSetAttribute(iterate_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, held);
  iterate_kernel<<<blocks, threads, held>>>(in, out, n);
}
