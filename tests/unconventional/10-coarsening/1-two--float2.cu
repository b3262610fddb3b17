// unconventional: coarsening/1-two
// Two consecutive elements by one load, 512 threads.
__global__ void k(const float2* a, const float2* b, float2* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < n) {
    const float2 u = a[i], v = b[i];
    c[i] = {u.x + v.x, u.y + v.y};
  } else if (2 * i < n)
    ((float*)c)[2 * i] = ((const float*)a)[2 * i] + ((const float*)b)[2 * i];
}
void add(const float* a, const float* b, float* c, int n) {
  if (n) k<<<(n + 1023) / 1024, 512>>>((const float2*)a, (const float2*)b, (float2*)c, n);
}
