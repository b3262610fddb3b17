// wrong: elementwise/4-vec4
// mistake: Up to three elements are left over behind the last float4, not just one.
// expect: wrong
// out = 1 / (1 + exp(-in)), four floats per thread, 16 bytes per load and store.
// Bound by DRAM bandwidth: 8 bytes per element, in a quarter of the memory instructions.
constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return __fdividef(1.0f, 1.0f + __expf(-x));  // exp(-x) may be infinite: 1 / infinity is 0
}

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    reinterpret_cast<float4*>(out)[first / 4] =
        make_float4(sigmoid_of(x.x), sigmoid_of(x.y), sigmoid_of(x.z), sigmoid_of(x.w));
  } else {
    if (first < n) out[first] = sigmoid_of(in[first]);  // the tail: three floats at most
  }
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  sigmoid_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
