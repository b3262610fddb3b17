// unconventional: coalescing/3-structures
// The tile is loaded as float4 into dynamic shared memory.
__global__ void k(const float* xyz, float* out, int n) {
  extern __shared__ float4 tile[];
  const int first = blockIdx.x * 128, count = min(128, n - first), t = threadIdx.x;
  float* s = reinterpret_cast<float*>(tile);
  if (count == 128) {
    if (t < 96) tile[t] = reinterpret_cast<const float4*>(xyz + 3 * first)[t];
  } else
    for (int j = t; j < 3 * count; j += 128) s[j] = xyz[3 * first + j];
  __syncthreads();
  if (t < count) out[first + t] = norm3df(s[3 * t], s[3 * t + 1], s[3 * t + 2]);
}
void lengths(const float* xyz, float* out, int n) {
  if (n) k<<<(n + 127) / 128, 128, 1536>>>(xyz, out, n);
}
