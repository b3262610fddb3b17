// unconventional: reduce/5-sequential
// Two segments per block, in static shared memory.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[2][256];
  const int t = threadIdx.x, seg = 2 * blockIdx.x + threadIdx.y;
  const long long i = seg * 256ll + t;
  float* mine = s[threadIdx.y];
  mine[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) mine[t] += mine[t + d];
    __syncthreads();
  }
  if (t == 0 && seg * 256ll < n) partials[seg] = mine[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, dim3(256, 2)>>>(in, partials, n);
}
