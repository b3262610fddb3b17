// unconventional: reduce/3-dynamic
// Two segments per block, 2048 bytes.
__global__ void k(const float* in, float* partials, int n) {
  extern __shared__ float both[];
  float* s = both + threadIdx.y * 256;
  const int t = threadIdx.x, seg = 2 * blockIdx.x + threadIdx.y, i = seg * 256 + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0 && seg * 256 < n) partials[seg] = s[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, dim3(256, 2), 512 * sizeof(float)>>>(in, partials, n);
}
