// wrong: attention/2-online
// mistake: The maximum starts from 0. Where all scores of a query lie far below 0, its weights are all 0.
// expect: wrong
// Attention in one launch: one warp per query, with maximum, sum and result growing together.
// Bound by latency and L1: 512 bytes per pair, and five shuffles per dot product.
constexpr int dim = 64;
constexpr int warps = 4;

__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  const int i = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (i >= n) return;  // the whole warp
  const int head = blockIdx.y * n * dim;
  q += head;
  k += head;
  v += head;
  out += head;
  const float q0 = q[i * dim + lane] * 0.125f;
  const float q1 = q[i * dim + lane + 32] * 0.125f;
  float m = 0.0f;
  float sum = 0.0f;
  float acc0 = 0.0f;
  float acc1 = 0.0f;
  for (int j = 0; j < n; ++j) {
    float s = q0 * k[j * dim + lane] + q1 * k[j * dim + lane + 32];
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    const float bigger = fmaxf(m, s);
    const float scale = __expf(m - bigger);
    const float weight = __expf(s - bigger);
    sum = sum * scale + weight;
    acc0 = acc0 * scale + weight * v[j * dim + lane];
    acc1 = acc1 * scale + weight * v[j * dim + lane + 32];
    m = bigger;
  }
  out[i * dim + lane] = acc0 / sum;
  out[i * dim + lane + 32] = acc1 / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  attention_kernel<<<dim3((n + warps - 1) / warps, heads), 32 * warps>>>(q, k, v, out, n);
}
