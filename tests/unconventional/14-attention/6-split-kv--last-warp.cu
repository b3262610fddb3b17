// unconventional: attention/6-split-kv
// The last warp of a head merges its parts, so that one launch is enough.

constexpr int dim = 64;
constexpr int warps = 4;
constexpr int part = 32;  // keys per warp

// q, out [heads][64]; k, v [heads][n][64]. Of each part: its largest score, the sum of its weights,
// and the weighted sum of its values, both relative to that score.
__global__ void part_kernel(const float* q, const float* k, const float* v, float* largest,
                            float* sums, float* accs, float* out, int* done, int n, int parts) {
  const int p = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int head = blockIdx.y;
  if (p >= parts) return;  // the whole warp
  k += head * n * dim;
  v += head * n * dim;
  const float q0 = q[head * dim + lane] * 0.125f;
  const float q1 = q[head * dim + lane + 32] * 0.125f;
  float m = -INFINITY;
  float sum = 0.0f;
  float acc0 = 0.0f;
  float acc1 = 0.0f;
  for (int j = p * part; j < min(p * part + part, n); ++j) {
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
  const int at = head * parts + p;
  if (lane == 0) {
    largest[at] = m;
    sums[at] = sum;
  }
  accs[at * dim + lane] = acc0;
  accs[at * dim + lane + 32] = acc1;
  // the last warp of the head merges: no second launch
  __threadfence();
  __syncwarp();
  int place = 0;
  if (lane == 0) place = atomicAdd(&done[head], 1);
  if (__shfl_sync(0xffffffffu, place, 0) != parts - 1) return;
  __threadfence();
  __syncwarp();
  float top = -INFINITY;
  for (int e = lane; e < parts; e += 32) top = fmaxf(top, __ldcg(&largest[head * parts + e]));
  for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
  float s = 0.0f, a = 0.0f, b = 0.0f;
#pragma unroll 8
  for (int e = 0; e < parts; ++e) {
    const float w = __expf(__ldcg(&largest[head * parts + e]) - top);
    s += w * __ldcg(&sums[head * parts + e]);
    a += w * __ldcg(&accs[(head * parts + e) * dim + lane]);
    b += w * __ldcg(&accs[(head * parts + e) * dim + lane + 32]);
  }
  out[head * dim + lane] = a / s;
  out[head * dim + lane + 32] = b / s;
}

// One block per head, one thread per column.
void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (heads == 0) return;
  const int parts = (n + part - 1) / part;
  float* scratch;
  cudaMalloc(&scratch, sizeof(float) * (heads * parts * (dim + 2) + heads));
  float* sums = scratch + heads * parts;
  float* accs = sums + heads * parts;
  int* done = reinterpret_cast<int*>(accs + heads * parts * dim);
  cudaMemset(done, 0, heads * sizeof(int));
  part_kernel<<<dim3((parts + warps - 1) / warps, heads), 32 * warps>>>(q, k, v, scratch, sums,
                                                                        accs, out, done, n, parts);
  cudaFree(scratch);
}
