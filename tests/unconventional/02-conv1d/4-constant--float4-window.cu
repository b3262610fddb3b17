// unconventional: conv1d/4-constant
struct Weights {
  float4 low;
  float4 high;
};
__constant__ Weights weights;
__device__ Weights staged;

__global__ void stage(const float* filter) {
  float* to = reinterpret_cast<float*>(&staged);
  to[threadIdx.x] = threadIdx.x < 7 ? filter[threadIdx.x] : 0.0f;
}

__global__ void filter7(const float* __restrict__ in, float* __restrict__ out, int n) {
  const Weights w = weights;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = w.low.x * in[i] + w.low.y * in[i + 1] + w.low.z * in[i + 2] + w.low.w * in[i + 3] +
             w.high.x * in[i + 4] + w.high.y * in[i + 5] + w.high.z * in[i + 6];
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  stage<<<1, 8>>>(filter);
  void *from, *to;
  cudaGetSymbolAddress(&from, staged);
  cudaGetSymbolAddress(&to, weights);
  cudaMemcpy(to, from, sizeof(Weights), cudaMemcpyDeviceToDevice);
  filter7<<<min((n + 255) / 256, 8 * 132), 256>>>(in, out, n);
}
