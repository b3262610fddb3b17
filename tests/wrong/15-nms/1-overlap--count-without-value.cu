// wrong: nms/1-overlap
// mistake: The count has no first value: int later; leaves in it what the register held.
// expect: finding uninitialized
// How many later boxes does each box overlap by more than half of their union? One thread per box.
// Bound by latency: few warps, each with one pair per lane after another: a load, then arithmetic.
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
  int later;
  for (int j = i / 32 * 32; j < n;
       ++j)  // from the warp's first box on: all lanes read the same one
    if (j > i && overlap(mine, boxes[j])) ++later;
  count[i] = later;
}

void overlaps(const float4* boxes, int* count, int n) {
  if (n == 0) return;
  overlap_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, count, n);
}
