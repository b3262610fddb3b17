// unconventional: conv1d/3-coarsened
// One float4 per thread. The two inputs after it come from the next lane by shuffles.
__global__ void k(const float* in, float* out, int n) {
  const int i = 4 * (blockIdx.x * 128 + threadIdx.x), lane = threadIdx.x % 32;
  float4 a = {0, 0, 0, 0};
  if (i + 3 < n + 2)
    a = *(const float4*)(in + i);
  else {
    if (i < n + 2) a.x = in[i];
    if (i + 1 < n + 2) a.y = in[i + 1];
    if (i + 2 < n + 2) a.z = in[i + 2];
  }
  float x = __shfl_down_sync(~0u, a.x, 1), y = __shfl_down_sync(~0u, a.y, 1);
  if (lane == 31) {
    x = i + 4 < n + 2 ? in[i + 4] : 0;
    y = i + 5 < n + 2 ? in[i + 5] : 0;
  }
  const float t = 1.0f / 3;
  float4 r = {(a.x + a.y + a.z) * t, (a.y + a.z + a.w) * t, (a.z + a.w + x) * t, (a.w + x + y) * t};
  if (i + 3 < n)
    *(float4*)(out + i) = r;
  else {
    if (i < n) out[i] = r.x;
    if (i + 1 < n) out[i + 1] = r.y;
    if (i + 2 < n) out[i + 2] = r.z;
  }
}
void conv1d(const float* in, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 128>>>(in, out, n);
}
