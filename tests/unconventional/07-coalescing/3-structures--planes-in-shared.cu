// unconventional: coalescing/3-structures
// Three rows in shared memory, one per coordinate: the structure is taken apart when it is stored.
__global__ void k(const float* xyz, float* out, int n) {
  __shared__ float s[3][512 + 11];
  const int first = blockIdx.x * 512;
  for (int c = 0; c < 3; ++c) {
    const int f = c * 512 + threadIdx.x;
    if (3 * first + f < 3 * n) s[f % 3][f / 3] = xyz[3 * first + f];
  }
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i < n) {
    const float x = s[0][threadIdx.x], y = s[1][threadIdx.x], z = s[2][threadIdx.x];
    out[i] = sqrtf(x * x + y * y + z * z);
  }
}
void lengths(const float* xyz, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 512>>>(xyz, out, n);
}
