// lazy: attention/6-split-kv
// expect: gate time_us <= 4 * reference(self)
// Four parts per head: faster, but 124 SMs are still idle.
constexpr int dim = 64;
constexpr int warps = 4;

// q, out [heads][64]; k, v [heads][n][64]. Of each part: its largest score, the sum of its weights,
// and the weighted sum of its values, both relative to that score.
__global__ void part_kernel(const float* q, const float* k, const float* v, float* largest,
                            float* sums, float* accs, int n, int parts, int part) {
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
}

// One block per head, one thread per column.
__global__ void merge_kernel(const float* largest, const float* sums, const float* accs, float* out,
                             int parts) {
  const int column = threadIdx.x;
  const int first = blockIdx.x * parts;
  float m = -INFINITY;
  for (int p = first; p < first + parts; ++p) m = fmaxf(m, largest[p]);
  float sum = 0.0f;
  float acc = 0.0f;
  for (int p = first; p < first + parts; ++p) {
    const float scale = __expf(largest[p] - m);
    sum += scale * sums[p];
    acc += scale * accs[p * dim + column];
  }
  out[blockIdx.x * dim + column] = acc / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (heads == 0) return;
  const int parts = 4, part = (n + 3) / 4;
  float* scratch;  // largest, sums, accs
  cudaMalloc(&scratch, sizeof(float) * heads * parts * (dim + 2));
  float* sums = scratch + heads * parts;
  float* accs = sums + heads * parts;
  const dim3 grid((parts + warps - 1) / warps, heads);
  part_kernel<<<grid, 32 * warps>>>(q, k, v, scratch, sums, accs, n, parts, part);
  merge_kernel<<<heads, dim>>>(scratch, sums, accs, out, parts);
  cudaFree(scratch);
}
