// lazy: elementwise/3-sigmoid
// expect: gate ptx(fma) <= 2 * n / 32
// The exponential is exact. Packs of four save as many instructions as it costs.
constexpr int threads = 256;
__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + expf(-x)); }
__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    reinterpret_cast<float4*>(out)[first / 4] =
        make_float4(sigmoid_of(x.x), sigmoid_of(x.y), sigmoid_of(x.z), sigmoid_of(x.w));
  } else {
    for (int i = first; i < n; ++i) out[i] = sigmoid_of(in[i]);  // the tail: three floats at most
  }
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  sigmoid_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
