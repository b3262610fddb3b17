// lazy: nms/2-mask
// expect: gate 32 * global_load_sectors <= 1.1 * 2048 * words * words
// The word is in a register, but every thread still loads all 64 boxes of its columns.
// x and y are one corner of a box, z and w the opposite one.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  const int i = blockIdx.y * 64 + threadIdx.x;
  const int first = blockIdx.x * 64;
  if (i >= n) return;
  const float4 mine = boxes[i];
  unsigned long long word = 0;
  for (int c = 0; c < 64 && first + c < n; ++c)
    if (first + c > i && overlap(mine, boxes[first + c])) word |= 1ull << c;
  mask[size_t(i) * words + blockIdx.x] = word;  // 0 below the diagonal: the scan reads it too
}

void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 64>>>(boxes, mask, n, words);
}
