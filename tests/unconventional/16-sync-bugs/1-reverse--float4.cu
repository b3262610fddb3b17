// unconventional: sync-bugs/1-reverse
// 64 threads per tile, and a float4 for each.
__global__ void k(const float* in, float* out, int n) {
  extern __shared__ float4 s[];
  const int tiles = n / 256, t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    s[t] = reinterpret_cast<const float4*>(in)[tile * 64 + t];
    __syncthreads();
    const float4 v = s[63 - t];
    reinterpret_cast<float4*>(out)[tile * 64 + t] = make_float4(v.w, v.z, v.y, v.x);
    __syncthreads();
  }
  if (blockIdx.x == 0)
    for (int i = tiles * 256 + t; i < n; i += 64) out[i] = in[n - 1 - (i - tiles * 256)];
}
void reverse(const float* in, float* out, int n) {
  if (n) k<<<64, 64, 1024>>>(in, out, n);
}
