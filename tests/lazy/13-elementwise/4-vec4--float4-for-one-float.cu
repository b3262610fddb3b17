// lazy: elementwise/4-vec4
// expect: gate global_store_lane_bytes >= 480 * global_store_requests
// An element per thread: four lanes load one float4.
__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

// Four lanes load the same float4, and each uses one float of it. Then all four store the same float4.
__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % 4;
  if (i / 4 * 4 + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[i / 4];
    const float y = sigmoid_of(k == 0 ? x.x : k == 1 ? x.y : k == 2 ? x.z : x.w);
    const unsigned lanes = __activemask();
    const int lane = threadIdx.x % 32 / 4 * 4;
    const float4 all = {__shfl_sync(lanes, y, lane), __shfl_sync(lanes, y, lane + 1),
                        __shfl_sync(lanes, y, lane + 2), __shfl_sync(lanes, y, lane + 3)};
    if (k == 0) reinterpret_cast<float4*>(out)[i / 4] = all;
  } else if (i < n) {
    out[i] = sigmoid_of(in[i]);
  }
}

void sigmoid(const float* in, float* out, int n) {
  if (n > 0) sigmoid_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
