// unconventional: scan/2-blelloch
// An inclusive tree (Brent and Kung), by 128 threads that loop over the nodes of a level.
__global__ void k(const int* in, int* out, int n) {
  __shared__ int s[512];
  int base = blockIdx.x * 512;
  for (int j = threadIdx.x; j < 512; j += blockDim.x) s[j] = base + j < n ? in[base + j] : 0;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    for (int q = threadIdx.x; q < 256 / d; q += blockDim.x) {
      int r = 2 * d * (q + 1) - 1;
      s[r] += s[r - d];
    }
    __syncthreads();
  }
  for (int d = 128; d >= 1; d /= 2) {
    for (int q = threadIdx.x; q < 256 / d - 1; q += blockDim.x) {
      int r = 2 * d * (q + 1) - 1;
      s[r + d] += s[r];
    }
    __syncthreads();
  }
  for (int j = threadIdx.x; j < 512; j += blockDim.x)
    if (base + j < n) out[base + j] = s[j];
}
void scan_tiles(const int* in, int* out, int n) {
  if (n) k<<<(n + 511) / 512, 128>>>(in, out, n);
}
