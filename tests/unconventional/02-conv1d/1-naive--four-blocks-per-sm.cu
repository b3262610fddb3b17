// unconventional: conv1d/1-naive
// A grid-stride loop by four blocks per SM.
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3.0f;
}
void conv1d(const float* in, float* out, int n) { if (n) k<<<528, 256>>>(in, out, n); }
