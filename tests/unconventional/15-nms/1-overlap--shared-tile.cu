// unconventional: nms/1-overlap
// Boxes through a tile in shared memory.
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
  __shared__ float4 tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  const float4 mine = i < n ? boxes[i] : float4{};
  int later = 0;
  for (int first = blockIdx.x * threads; first < n; first += threads) {
    __syncthreads();
    if (first + threadIdx.x < n) tile[threadIdx.x] = boxes[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(threads, n - first); ++j)
      if (first + j > i && i < n) later += overlap(mine, tile[j]);
  }
  if (i < n) count[i] = later;
}

void overlaps(const float4* boxes, int* count, int n) {
  if (n == 0) return;
  overlap_kernel<<<(n + threads - 1) / threads, threads>>>(boxes, count, n);
}
