// Which boxes stay: a matrix of overlaps as bits, then a scan by one warp, best box first.
// x and y are one corner of a box, z and w the opposite one.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  __shared__ float4 tile[64];
  const int i = blockIdx.y * 64 + threadIdx.x;
  const int first = blockIdx.x * 64;
  if (first + threadIdx.x < n) tile[threadIdx.x] = boxes[first + threadIdx.x];
  __syncthreads();
  if (i >= n) return;
  const float4 mine = boxes[i];
  unsigned long long word = 0;
  for (int c = 0; c < 64 && first + c < n; ++c)
    if (first + c > i && overlap(mine, tile[c])) word |= 1ull << c;
  mask[size_t(i) * words + blockIdx.x] = word;  // 0 below the diagonal: the scan reads it too
}

__global__ void scan_kernel(const unsigned long long* mask, int* keep, int n, int words) {
  extern __shared__ unsigned long long removed[];  // one bit per box
  // TODO: one thread visits every box, and ORs the words of a row one after another.
  if (threadIdx.x > 0) return;
  for (int w = 0; w < words; ++w) removed[w] = 0;
  for (int i = 0; i < n; ++i) {
    const bool gone = (removed[i / 64] >> (i % 64)) & 1;
    keep[i] = !gone;
    if (gone) continue;
    for (int w = 0; w < words; ++w) removed[w] |= mask[size_t(i) * words + w];
  }
}

void nms(const float4* boxes, unsigned long long* mask, int* keep, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 64>>>(boxes, mask, n, words);
  scan_kernel<<<1, 32, words * sizeof(unsigned long long)>>>(mask, keep, n, words);
}
