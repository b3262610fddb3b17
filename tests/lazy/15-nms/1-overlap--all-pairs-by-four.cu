// lazy: nms/1-overlap
// expect: gate ptx(min) + ptx(max) <= 1.4 * reference(self)
// All pairs are compared. Four boxes per thread pay for it.
constexpr int threads = 32;
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }
__global__ void overlap_kernel(const float4* boxes, int* count, int n) {
  const int i0 = blockIdx.x * 128 + threadIdx.x;
  float4 mine[4];
  float a[4];
  int later[4] = {};
#pragma unroll
  for (int t = 0; t < 4; ++t) mine[t] = boxes[min(i0 + 32 * t, n - 1)], a[t] = 0.5f * area(mine[t]);
#pragma unroll 2
  for (int j = 0; j < n; ++j) {
    const float4 b = boxes[j];
    const float half = 0.5f * area(b);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const float w = fmaxf(0.0f, fminf(mine[t].z, b.z) - fmaxf(mine[t].x, b.x));
      const float h = fmaxf(0.0f, fminf(mine[t].w, b.w) - fmaxf(mine[t].y, b.y));
      const float inter = w * h;
      if (1.5f * inter > a[t] + half & j > i0 + 32 * t) ++later[t];
    }
  }
#pragma unroll
  for (int t = 0; t < 4; ++t)
    if (i0 + 32 * t < n) count[i0 + 32 * t] = later[t];
}
void overlaps(const float4* boxes, int* count, int n) {
  if (n) overlap_kernel<<<(n + 127) / 128, threads>>>(boxes, count, n);
}
