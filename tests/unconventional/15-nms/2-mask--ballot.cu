// unconventional: nms/2-mask
// A lane has a column and keeps its box; a ballot gives 32 bits of a row.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  const int lane = threadIdx.x % 32, half = threadIdx.x / 32, first = blockIdx.x * 64;
  const int j = first + half * 32 + lane;
  const float4 column = boxes[min(j, n - 1)];
  __shared__ float4 rows[64];
  if (blockIdx.y * 64 + threadIdx.x < n) rows[threadIdx.x] = boxes[blockIdx.y * 64 + threadIdx.x];
  __syncthreads();
  unsigned* out = reinterpret_cast<unsigned*>(mask);
  for (int r = 0; r < 64 && blockIdx.y * 64 + r < n; ++r) {
    const int i = blockIdx.y * 64 + r;
    const unsigned bits = __ballot_sync(~0u, j < n && j > i && overlap(rows[r], column));
    if (lane == 0) out[2 * (size_t(i) * words + blockIdx.x) + half] = bits;
  }
}

void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 64>>>(boxes, mask, n, words);
}
