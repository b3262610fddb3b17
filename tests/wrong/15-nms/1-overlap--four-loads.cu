// wrong: nms/1-overlap
// mistake: The corners were read one by one: four loads per box.
// expect: gate_failed gate global_loads <= 0.6 * n * n / 32 + 2 * n
// How many later boxes does each box overlap by more than half of their union? A thread per box.
constexpr int threads = 128;

__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }  // x, y: one corner; z, w: the other

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
  const volatile float* f = reinterpret_cast<const float*>(boxes);
  int later = 0;
  for (int j = i / 32 * 32; j < n; ++j)  // from the warp's first box on: all lanes read the same one
    if (j > i && overlap(mine, make_float4(f[4 * j], f[4 * j + 1], f[4 * j + 2], f[4 * j + 3]))) ++later;
  count[i] = later;
}

void overlaps(const float4* boxes, int* count, int n) {
  if (n == 0) return;
  overlap_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, count, n);
}
