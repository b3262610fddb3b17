// unconventional: nms/1-overlap
// Each lane loads one box of 32, and shuffles hand them round.
constexpr int threads = 128;

// x and y are one corner of a box, z and w the opposite one.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fminf(a.z, b.z) - fmaxf(a.x, b.x), h = fminf(a.w, b.w) - fmaxf(a.y, b.y);
  if (w <= 0 || h <= 0) return false;
  return 3 * w * h > area(a) + area(b);
}

__global__ void overlap_kernel(const float4* boxes, int* count, int n) {
  const int i = blockIdx.x * threads + threadIdx.x, lane = threadIdx.x % 32;
  const float4 mine = boxes[min(i, n - 1)];
  int later = 0;
  for (int j0 = i / 32 * 32; j0 < n; j0 += 32) {
    const float4 other = boxes[min(j0 + lane, n - 1)];
    for (int t = 0; t < 32; ++t) {
      const float4 b{__shfl_sync(~0u, other.x, t), __shfl_sync(~0u, other.y, t),
                     __shfl_sync(~0u, other.z, t), __shfl_sync(~0u, other.w, t)};
      if (j0 + t > i && j0 + t < n && overlap(mine, b)) ++later;
    }
  }
  if (i < n) count[i] = later;
}

void overlaps(const float4* boxes, int* count, int n) {
  if (n == 0) return;
  overlap_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, count, n);
}
