// lazy: nms/1-overlap
// expect: gate global_loads <= 0.6 * n * n / 32 + 2 * n
// Every pair is tested twice, and half of the tests count for nothing.
constexpr int threads = 128;

// x and y are one corner of a box, z and w the opposite one.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void overlap_kernel(const float4* boxes, int* count, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float4 mine = boxes[i];
  int later = 0;
  for (int j = 0; j < n; ++j)
    if (overlap(mine, boxes[j]) && j > i) ++later;
  count[i] = later;
}

void overlaps(const float4* boxes, int* count, int n) {
  if (n == 0) return;
  overlap_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, count, n);
}
