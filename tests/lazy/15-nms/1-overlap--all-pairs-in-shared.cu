// lazy: nms/1-overlap
// expect: gate instructions <= 1.75 * reference(self)
// All boxes in shared memory, and all pairs tested, the earlier ones too.
__device__ bool hit(float4 a, float4 b) {
  float w = fmaxf(0, fminf(a.z, b.z) - fmaxf(a.x, b.x)), h = fmaxf(0, fminf(a.w, b.w) - fmaxf(a.y, b.y));
  float s = (a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - w * h;
  return w * h > 0.5f * s;
}
__global__ void k(const float4* boxes, int* count, int n) {
  extern __shared__ float4 s[];
  for (int j = threadIdx.x; j < n; j += blockDim.x) s[j] = boxes[j];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = 0;
  for (int j = 0; j < n; ++j) c += hit(s[i], s[j]) && j > i;
  count[i] = c;
}
void overlaps(const float4* boxes, int* count, int n) {
  if (n) {
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 16 * n);
    k<<<(n + 127) / 128, 128, 16 * n>>>(boxes, count, n);
  }
}
