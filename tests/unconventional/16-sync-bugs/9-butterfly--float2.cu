// unconventional: sync-bugs/9-butterfly
// 128 threads per tile, which read pairs.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float2 tile[256];
  const int t = threadIdx.x, start = blockIdx.x * 512;
  float* s = reinterpret_cast<float*>(tile);
  for (int e = t; e < 512; e += 128) s[e] = start + e < n ? in[start + e] : 0;
  __syncthreads();
  const float2 f = tile[t], b = tile[255 - t], c = tile[128 + t], d = tile[127 - t];
  const int i = start + 2 * t;
  if (i < n) out[i] = f.x + b.y;
  if (i + 1 < n) out[i + 1] = f.y + b.x;
  if (i + 256 < n) out[i + 256] = c.x - d.y;
  if (i + 257 < n) out[i + 257] = c.y - d.x;
}
void butterfly(const float* in, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 128>>>(in, out, n);
}
