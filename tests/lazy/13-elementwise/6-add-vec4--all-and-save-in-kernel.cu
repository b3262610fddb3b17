// lazy: elementwise/6-add-vec4
// expect: gate global_load_lane_bytes <= 8.05 * n
// Begins at element 0, and writes back what stood before the first one: c is read as well.
__global__ void k(const float* a, const float* b, float* c, int first, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 x = *(const float4*)(a + i), y = *(const float4*)(b + i), z = *(float4*)(c + i);
    z.x = i < first ? z.x : x.x + y.x;
    z.y = i + 1 < first ? z.y : x.y + y.y;
    z.z = i + 2 < first ? z.z : x.z + y.z;
    z.w = i + 3 < first ? z.w : x.w + y.w;
    *(float4*)(c + i) = z;
  } else
    for (int j = max(i, first); j < n; ++j) c[j] = a[j] + b[j];
}
void add(const float* a, const float* b, float* c, int first, int n) {
  if (first < n) k<<<(n + 1023) / 1024, 256>>>(a, b, c, first, n);
}
