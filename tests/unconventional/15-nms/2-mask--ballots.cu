// unconventional: nms/2-mask
// A lane keeps two boxes of the columns; ballots make the words of 64 rows.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  const int lane = threadIdx.x, column = blockIdx.x * 64 + lane, last = n - 1;
  const float4 low = boxes[min(column, last)], high = boxes[min(column + 32, last)];
  __shared__ float4 rows[64];
  for (int r = lane; r < 64; r += 32) rows[r] = boxes[min(int(blockIdx.y) * 64 + r, last)];
  __syncwarp();
  for (int r = 0; r < 64; ++r) {
    const int i = blockIdx.y * 64 + r;
    if (i >= n) return;
    const unsigned a = __ballot_sync(~0u, column > i && column < n && overlap(rows[r], low));
    const unsigned b =
        __ballot_sync(~0u, column + 32 > i && column + 32 < n && overlap(rows[r], high));
    if (lane == 0) mask[size_t(i) * words + blockIdx.x] = (unsigned long long)b << 32 | a;
  }
}

void masks(const float4* boxes, unsigned long long* mask, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 32>>>(boxes, mask, n, words);
}
