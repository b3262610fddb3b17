// lazy: nms/2-mask
// expect: gate time_us <= 3 * reference(self)
// A block computes a whole column of tiles, one after the other: 16 SMs work.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  __shared__ float4 tile[64];
  for (int by = 0; by < words; ++by) {
    const int i = by * 64 + threadIdx.x;
    __syncthreads();
    const int first = blockIdx.x * 64;
    if (first + threadIdx.x < n) tile[threadIdx.x] = boxes[first + threadIdx.x];
    __syncthreads();
    if (i >= n) continue;
    const float4 mine = boxes[i];
    unsigned long long word = 0;
    for (int c = 0; c < 64 && first + c < n; ++c)
      if (first + c > i && overlap(mine, tile[c])) word |= 1ull << c;
    mask[size_t(i) * words + blockIdx.x] = word;
  }  // 0 below the diagonal
}

void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<words, 64>>>(boxes, mask, n, words);
}
