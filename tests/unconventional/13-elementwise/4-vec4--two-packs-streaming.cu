// unconventional: elementwise/4-vec4
__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

struct alignas(16) Pack {
  float at[4];
};

__global__ void sigmoid_kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int packs = n / 4, step = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int p = t; p < packs; p += step) {
    Pack v = reinterpret_cast<const Pack*>(in)[p];
#pragma unroll
    for (float& x : v.at) x = sigmoid_of(x);
    reinterpret_cast<Pack*>(out)[p] = v;
  }
  for (int i = 4 * packs + t; i < n; i += step) out[i] = sigmoid_of(in[i]);
}

void sigmoid(const float* in, float* out, int n) {
  if (n > 0) sigmoid_kernel<<<(n + 2047) / 2048, 256>>>(in, out, n);
}
