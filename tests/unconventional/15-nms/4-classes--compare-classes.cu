// unconventional: nms/4-classes
// No shift: the mask tests two boxes only if their classes are equal.
__device__ bool hit(float4 a, float4 b) {
  float w = fmaxf(0, fminf(a.z, b.z) - fmaxf(a.x, b.x)), h = fmaxf(0, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  float s = (a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - w * h;
  return w * h > 0.5f * s;
}
__global__ void mask_k(const float4* boxes, const int* cls, unsigned long long* mask, int n, int words) {
  __shared__ float4 tile[64];
  __shared__ int kind[64];
  const int i = blockIdx.y * 64 + threadIdx.x, f = blockIdx.x * 64;
  if (f + threadIdx.x < n)
    tile[threadIdx.x] = boxes[f + threadIdx.x], kind[threadIdx.x] = cls[f + threadIdx.x];
  __syncthreads();
  if (i >= n) return;
  const float4 m = boxes[i];
  const int mine = cls[i];
  unsigned long long w = 0;
  for (int c = 0; c < 64 && f + c < n; ++c)
    if (f + c > i && kind[c] == mine && hit(m, tile[c])) w |= 1ull << c;
  mask[size_t(i) * words + blockIdx.x] = w;
}
__global__ void scan_k(const unsigned long long* mask, int* keep, int n, int words) {
  extern __shared__ unsigned long long removed[];
  const int lane = threadIdx.x;
  for (int w = lane; w < words; w += 32) removed[w] = 0;
  for (int c = 0; c < words; ++c) {
    __syncwarp();
    unsigned long long stay = ~removed[c], kept = 0;
    if (n - 64 * c < 64) stay &= (1ull << (n - 64 * c)) - 1;
    while (stay) {
      const int b = __ffsll(stay) - 1;
      const unsigned long long* row = mask + size_t(64 * c + b) * words;
      kept |= 1ull << b;
      stay &= ~(row[c] | (1ull << b));
      for (int w = c + 1 + lane; w < words; w += 32) removed[w] |= row[w];
    }
    for (int q = lane; q < 64 && 64 * c + q < n; q += 32) keep[64 * c + q] = (kept >> q) & 1;
  }
}
void nms(const float4* boxes, const int* classes, float4* shifted, unsigned long long* mask, int* keep,
         int n) {
  if (n) {
    int w = (n + 63) / 64;
    mask_k<<<dim3(w, w), 64>>>(boxes, classes, mask, n, w);
    scan_k<<<1, 32, w * 8>>>(mask, keep, n, w);
  }
}
