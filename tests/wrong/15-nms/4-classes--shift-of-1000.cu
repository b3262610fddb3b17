// wrong: nms/4-classes
// mistake: Coordinates reach 1090: a shift of 1000 puts boxes of different classes on top of each other.
// expect: wrong
// Which boxes stay, class by class: boxes are shifted so that classes lie apart, then suppressed
// together.
// Bound by latency: one load from the L2 per box that stays, one after another.
constexpr int threads = 64;

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
  extern __shared__ unsigned long long removed[];  // one bit per box
  const int lane = threadIdx.x;
  for (int w = lane; w < words; w += 32) removed[w] = 0;
  for (int c = 0; c < words; ++c) {
    __syncwarp();                           // all lanes see what the others added
    unsigned long long stay = ~removed[c];  // boxes 64 c to 64 c + 63, the same in all lanes
    unsigned long long kept = 0;
    if (n - 64 * c < 64) stay &= (1ull << (n - 64 * c)) - 1;
    while (stay != 0) {
      const int b = __ffsll(stay) - 1;  // the best that is left
      const unsigned long long* row = mask + size_t(64 * c + b) * words;
      kept |= 1ull << b;
      stay &= ~(row[c] | (1ull << b));
      for (int w = c + 1 + lane; w < words; w += 32) removed[w] |= row[w];
    }
    for (int k = lane; k < 64 && 64 * c + k < n; k += 32) keep[64 * c + k] = (kept >> k) & 1;
  }
}

__global__ void shift_kernel(const float4* boxes, const int* classes, float4* shifted, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float4 b = boxes[i];
  const float shift = 1000.0f * classes[i];  // more than any coordinate
  b.x += shift;
  b.z += shift;
  shifted[i] = b;
}

void nms(const float4* boxes, const int* classes, float4* shifted, unsigned long long* mask,
         int* keep, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  shift_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, classes, shifted, n);
  mask_kernel<<<dim3(words, words), 64>>>(shifted, mask, n, words);
  scan_kernel<<<1, 32, words * sizeof(unsigned long long)>>>(mask, keep, n, words);
}
