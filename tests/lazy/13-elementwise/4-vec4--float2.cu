// lazy: elementwise/4-vec4
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// Two float2 instead of one float4: half of what a load can bring.
constexpr int threads = 256;

__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * p + 1 < n) {
    const float2 x = reinterpret_cast<const float2*>(in)[p];
    reinterpret_cast<float2*>(out)[p] = make_float2(sigmoid_of(x.x), sigmoid_of(x.y));
  } else if (2 * p < n) {
    out[2 * p] = sigmoid_of(in[2 * p]);
  }
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, out, n);
}
