// unconventional: reduce/4-strided-index
// 64 threads per 256 floats, each with several pairs per round.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int i = blockIdx.x * 256 + t + 64 * j;
    s[t + 64 * j] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int d = 1; d < 256; d *= 2) {
    for (int left = 2 * d * t; left < 256; left += 128 * d) s[left] += s[left + d];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 255) / 256, 64>>>(in, partials, n);
}
