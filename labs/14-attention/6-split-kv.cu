// Attention of one query per head, over all n keys: what a model does for each token it writes.
// One warp per head. Bound by latency: one key after another, and all but a few SMs are idle.
constexpr int dim = 64;

// q, out [heads][64]; k, v [heads][n][64].
__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  const int lane = threadIdx.x;
  const int head = blockIdx.x;
  k += head * n * dim;
  v += head * n * dim;
  const float q0 = q[head * dim + lane] * 0.125f;
  const float q1 = q[head * dim + lane + 32] * 0.125f;
  float m = -INFINITY;
  float sum = 0.0f;
  float acc0 = 0.0f;
  float acc1 = 0.0f;
  // TODO: give each warp a part of the keys. Store m, sum and acc of each part, and let a second
  // launch merge the parts of a head.
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
  out[head * dim + lane] = acc0 / sum;
  out[head * dim + lane + 32] = acc1 / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (heads == 0) return;
  attention_kernel<<<heads, 32>>>(q, k, v, out, n);
}
