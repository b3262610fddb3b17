// Attention over tiles of 32 keys for 32 queries per block: the loop of FlashAttention, causal.
// Bound by latency; on a full GPU by shared memory: two words per multiply-add of the scores.
constexpr int dim = 64;
constexpr int queries = 32;  // per block
constexpr int tile = 32;     // keys
constexpr int warps = 4;
constexpr int each = queries / warps;  // queries per warp

__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  __shared__ float ks[tile][dim + 1];
  __shared__ float vs[tile][dim];
  __shared__ float qs[queries][dim];
  const int first = blockIdx.x * queries;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int head = blockIdx.y * n * dim;
  q += head;
  k += head;
  v += head;
  out += head;
  for (int t = threadIdx.x; t < queries * dim; t += 32 * warps)
    qs[t / dim][t % dim] = first + t / dim < n ? q[first * dim + t] * 0.125f : 0.0f;
  float m[each];
  float sum[each];
  float acc0[each];
  float acc1[each];
  for (int r = 0; r < each; ++r) {
    m[r] = -INFINITY;
    sum[r] = 0.0f;
    acc0[r] = 0.0f;
    acc1[r] = 0.0f;
  }

  const int end = min(n, first + queries);  // no query of this block sees a later key
  for (int k0 = 0; k0 < end; k0 += tile) {
    __syncthreads();  // all warps have finished the tile before
    for (int t = threadIdx.x; t < tile * dim; t += 32 * warps) {
      const bool there = k0 + t / dim < n;
      ks[t / dim][t % dim] = there ? k[k0 * dim + t] : 0.0f;
      vs[t / dim][t % dim] = there ? v[k0 * dim + t] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < each; ++r) {
      const float* mine = qs[warp * each + r];
      float s = 0.0f;
      for (int c = 0; c < dim; ++c) s += mine[c] * ks[lane][c];  // one word of q for all lanes
      const int i = first + warp * each + r;
      const int j = k0 + lane;
      if (j > i || j >= n) s = -INFINITY;  // ahead of the query, or past the end: weight 0
      float bigger = fmaxf(m[r], s);
      for (int d = 16; d > 0; d /= 2)
        bigger = fmaxf(bigger, __shfl_xor_sync(0xffffffffu, bigger, d));
      const float scale = __expf(m[r] - bigger);
      const float weight = __expf(s - bigger);
      float added = weight;
      for (int d = 16; d > 0; d /= 2) added += __shfl_xor_sync(0xffffffffu, added, d);
      sum[r] = sum[r] * scale + added;
      acc0[r] *= scale;
      acc1[r] *= scale;
      for (int key = 0; key < tile; ++key) {
        const float p = __shfl_sync(0xffffffffu, weight, key);
        acc0[r] += p * vs[key][lane];
        acc1[r] += p * vs[key][lane + 32];
      }
      m[r] = bigger;
    }
  }
#pragma unroll
  for (int r = 0; r < each; ++r) {
    const int i = first + warp * each + r;
    if (i >= n) continue;
    out[i * dim + lane] = acc0[r] / sum[r];
    out[i * dim + lane + 32] = acc1[r] / sum[r];
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  attention_kernel<<<dim3((n + queries - 1) / queries, heads), 32 * warps>>>(q, k, v, out, n);
}
