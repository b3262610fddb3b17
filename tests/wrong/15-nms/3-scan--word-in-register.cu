// wrong: nms/3-scan
// mistake: Each lane keeps one word of removed boxes, so that boxes from number 2048 on have none.
// expect: wrong
// Which boxes stay: a matrix of overlaps as bits, then a scan by one warp, best box first.
// Bound by latency: one load from the L2 per box that stays, one after another.
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
  mask[size_t(i) * words + blockIdx.x] = word;  // 0 below the diagonal
}

__global__ void scan_kernel(const unsigned long long* mask, int* keep, int n, int words) {
  const int lane = threadIdx.x;
  unsigned long long removed = 0;  // of word `lane`
  for (int c = 0; c < words; ++c) {
    unsigned long long stay = ~__shfl_sync(~0u, removed, c);
    unsigned long long kept = 0;
    if (n - 64 * c < 64) stay &= (1ull << (n - 64 * c)) - 1;
    while (stay != 0) {
      const int b = __ffsll(stay) - 1;
      const unsigned long long* row = mask + size_t(64 * c + b) * words;
      kept |= 1ull << b;
      stay &= ~(row[c] | (1ull << b));
      if (lane < words) removed |= row[lane];
    }
    for (int k = lane; k < 64 && 64 * c + k < n; k += 32) keep[64 * c + k] = (kept >> k) & 1;
  }
}
void nms(const float4* boxes, unsigned long long* mask, int* keep, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 64>>>(boxes, mask, n, words);
  scan_kernel<<<1, 32>>>(mask, keep, n, words);
}
