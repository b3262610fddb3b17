// lazy: attention/4-causal
// expect: gate ptx(fma) <= 0.7 * reference(tiles) (heads=1, n=400)
// Tiles above the diagonal are computed. Larger tiles pay for it.
constexpr int dim = 64;
constexpr int queries = 50;  // per block
constexpr int tile = 32;     // keys
constexpr int warps = 5;
constexpr int each = queries / warps;  // queries per warp

__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  __shared__ alignas(16) float ks[tile][dim + 4];
  __shared__ alignas(16) float ps[queries][tile];
  __shared__ alignas(16) float vs[tile][dim];
  __shared__ alignas(16) float qs[queries][dim];
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

  const int end = n;
  for (int k0 = 0; k0 < end; k0 += tile) {
    __syncthreads();  // all warps have finished the tile before
#pragma unroll
    for (int t = threadIdx.x; t < tile * dim / 4; t += 32 * warps) {
      const bool there = k0 + t / 16 < n;
      const float4 zero = {0, 0, 0, 0};
      *reinterpret_cast<float4*>(&ks[t / 16][t % 16 * 4]) =
          there ? reinterpret_cast<const float4*>(k + k0 * dim)[t] : zero;
      *reinterpret_cast<float4*>(&vs[t / 16][t % 16 * 4]) =
          there ? reinterpret_cast<const float4*>(v + k0 * dim)[t] : zero;
    }
    __syncthreads();
    float s[each] = {};
#pragma unroll
    for (int c = 0; c < dim; c += 4) {
      const float4 x = *reinterpret_cast<const float4*>(&ks[lane][c]);
#pragma unroll
      for (int r = 0; r < each; ++r) {
        const float4 y = *reinterpret_cast<const float4*>(&qs[warp * each + r][c]);
        s[r] += y.x * x.x + y.y * x.y + y.z * x.z + y.w * x.w;
      }
    }
#pragma unroll
    for (int r = 0; r < each; ++r) {
      const int i = first + warp * each + r;
      const int j = k0 + lane;
      if (j > i || j >= n) s[r] = -INFINITY;
      float bigger = fmaxf(m[r], s[r]);
      for (int d = 16; d > 0; d /= 2)
        bigger = fmaxf(bigger, __shfl_xor_sync(0xffffffffu, bigger, d));
      const float scale = __expf(m[r] - bigger);
      const float weight = __expf(s[r] - bigger);
      sum[r] = sum[r] * scale + weight;
      acc0[r] *= scale;
      acc1[r] *= scale;
      m[r] = bigger;
      ps[warp * each + r][lane] = weight;
    }
    __syncwarp();
#pragma unroll
    for (int key = 0; key < tile; key += 4) {
      float v0[4], v1[4];
#pragma unroll
      for (int d = 0; d < 4; ++d) v0[d] = vs[key + d][lane], v1[d] = vs[key + d][lane + 32];
#pragma unroll
      for (int r = 0; r < each; ++r) {
        const float4 p = *reinterpret_cast<const float4*>(&ps[warp * each + r][key]);
        acc0[r] += p.x * v0[0] + p.y * v0[1] + p.z * v0[2] + p.w * v0[3];
        acc1[r] += p.x * v1[0] + p.y * v1[1] + p.z * v1[2] + p.w * v1[3];
      }
    }
  }
#pragma unroll
  for (int r = 0; r < each; ++r) {
    const int i = first + warp * each + r;
    for (int d = 16; d > 0; d /= 2) sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    if (i >= n) continue;
    out[i * dim + lane] = acc0[r] / sum[r];
    out[i * dim + lane + 32] = acc1[r] / sum[r];
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  attention_kernel<<<dim3((n + queries - 1) / queries, heads), 32 * warps>>>(q, k, v, out, n);
}
