// unconventional: attention/2-online
// Each lane has two consecutive columns.
constexpr int dim = 64;
constexpr int warps = 4;

__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out, int n) {
  const int i = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (i >= n) return;  // the whole warp
  const int head = blockIdx.y * n * dim;
  q += head;
  k += head;
  v += head;
  out += head;
  const float2* q2 = reinterpret_cast<const float2*>(q);
  const float2* k2 = reinterpret_cast<const float2*>(k);
  const float2* v2 = reinterpret_cast<const float2*>(v);
  const float q0 = q2[i * 32 + lane].x * 0.125f, q1 = q2[i * 32 + lane].y * 0.125f;
  float m = -INFINITY;
  float sum = 0.0f;
  float acc0 = 0.0f;
  float acc1 = 0.0f;
  for (int j = 0; j < n; ++j) {
    float s = q0 * k2[j * 32 + lane].x + q1 * k2[j * 32 + lane].y;
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    const float bigger = fmaxf(m, s);
    const float scale = __expf(m - bigger);
    const float weight = __expf(s - bigger);
    sum = sum * scale + weight;
    acc0 = acc0 * scale + weight * v2[j * 32 + lane].x;
    acc1 = acc1 * scale + weight * v2[j * 32 + lane].y;
    m = bigger;
  }
  reinterpret_cast<float2*>(out)[i * 32 + lane] = {acc0 / sum, acc1 / sum};
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  attention_kernel<<<dim3((n + warps - 1) / warps, heads), 32 * warps>>>(q, k, v, out, n);
}
