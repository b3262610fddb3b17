// unconventional: nms/2-mask
// Four threads share a row of a tile, 16 columns each. They join their words by shuffles.

__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }
__device__ bool hit(float4 a, float4 b) {
  float w = fmaxf(0.f, fminf(a.z, b.z) - fmaxf(a.x, b.x)),
        h = fmaxf(0.f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  return w * h > 0.5f * (area(a) + area(b) - w * h);
}
// 256 threads: four threads per row, 16 columns each, joined by shuffles.
__global__ void k(const float4* boxes, unsigned long long* mask, int n, int words) {
  __shared__ float4 t[64];
  const int r = threadIdx.x / 4, part = threadIdx.x % 4, i = blockIdx.y * 64 + r,
            first = blockIdx.x * 64;
  if (threadIdx.x < 64 && first + threadIdx.x < n) t[threadIdx.x] = boxes[first + threadIdx.x];
  __syncthreads();
  unsigned long long w = 0;
  if (i < n && first + 63 > i) {
    const float4 mine = boxes[i];
    for (int c = part; c < 64; c += 4)
      if (first + c < n && first + c > i && hit(mine, t[c])) w |= 1ull << c;
  }
  w |= __shfl_xor_sync(~0u, w, 1);
  w |= __shfl_xor_sync(~0u, w, 2);
  if (part == 0 && i < n) mask[(size_t)i * words + blockIdx.x] = w;
}
void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  int words = (n + 63) / 64;
  k<<<dim3(words, words), 256>>>(boxes, mask, n, words);
}
