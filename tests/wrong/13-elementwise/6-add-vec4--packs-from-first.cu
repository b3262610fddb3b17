// wrong: elementwise/6-add-vec4
// mistake: a + first is no multiple of 16 bytes, so it cannot be read as float4. Count packs from the array's beginning.
// expect: finding misaligned line 9
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  const int i = first + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    const float4 u = *reinterpret_cast<const float4*>(a + i);
    const float4 v = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(c + i) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (int k = i; k < n; ++k) c[k] = a[k] + b[k];
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  const int packs = (n - first + 3) / 4;
  add_kernel<<<(packs + threads - 1) / threads, threads>>>(a, b, c, first, n);
}
