// lazy: nms/2-mask
// expect: gate global_load_requests <= 10 * words * words
// Each lane loads the boxes of its column from global memory.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }
__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}
__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  const int i = blockIdx.y * 64 + threadIdx.x, i2 = i + 32;
  const int first = blockIdx.x * 64;
  unsigned long long word = 0, word2 = 0;
  if (blockIdx.x >= blockIdx.y && i < n) {
    const float4 mine = boxes[i], other = boxes[min(i2, n - 1)];
#pragma unroll 8
    for (int c = 0; c < 64 && first + c < n; ++c) {
      const float4 b = boxes[first + c];
      if (first + c > i && overlap(mine, b)) word |= 1ull << c;
      if (first + c > i2 && overlap(other, b)) word2 |= 1ull << c;
    }
  }
  if (i < n) mask[size_t(i) * words + blockIdx.x] = word;
  if (i2 < n) mask[size_t(i2) * words + blockIdx.x] = word2;
}
void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 32>>>(boxes, mask, n, words);
}
