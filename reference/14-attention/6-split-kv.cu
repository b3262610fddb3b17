// Attention of one query per head, over all n keys: what a model does for each token it writes.
// Each warp takes 32 keys, one per lane, and a second launch merges the parts: split-KV.
// Bound by latency: a warp waits for its keys, then for their values.
constexpr int dim = 64;
constexpr int warps = 4;
constexpr int part = 32;   // keys per warp
constexpr int groups = 8;  // of threads that merge

__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// q, out [heads][64]; k, v [heads][n][64]. Of each part: its largest score, the sum of its weights,
// and the weighted sum of its values, both relative to that score.
__global__ void part_kernel(const float* q, const float* k, const float* v, float* largest,
                            float* sums, float* accs, int n, int parts) {
  __shared__ alignas(16) float query[dim];
  const int p = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int head = blockIdx.y;
  if (threadIdx.x < dim) query[threadIdx.x] = q[head * dim + threadIdx.x] * 0.125f;
  __syncthreads();
  if (p >= parts) return;  // the whole warp
  const int first = p * part;
  const int keys = min(part, n - first);
  const float* rows = k + (size_t(head) * n + first) * dim;
  const float* values = v + (size_t(head) * n + first) * dim;

  float s = -INFINITY;  // past the end: weight 0
  if (lane < keys) {
    const float4* row = reinterpret_cast<const float4*>(rows + lane * dim);
    s = 0.0f;
#pragma unroll
    for (int c = 0; c < dim / 4; ++c) {
      const float4 x = row[c];
      const float4 y = reinterpret_cast<const float4*>(query)[c];
      s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
  }
  const float m = warp_max(s);
  const float weight = __expf(s - m);
  const float sum = warp_sum(weight);
  float acc0 = 0.0f;
  float acc1 = 0.0f;
#pragma unroll 8
  for (int key = 0; key < keys; ++key) {
    const float w = __shfl_sync(0xffffffffu, weight, key);
    acc0 += w * values[key * dim + lane];
    acc1 += w * values[key * dim + lane + 32];
  }
  const int at = head * parts + p;
  if (lane == 0) {
    largest[at] = m;
    sums[at] = sum;
  }
  accs[at * dim + lane] = acc0;
  accs[at * dim + lane + 32] = acc1;
}

// One block per head. Each warp finds the largest score and the sum of the weights. Group g of 64
// threads, one per column, adds up the parts g, g + 8, and so on.
__global__ void merge_kernel(const float* largest, const float* sums, const float* accs, float* out,
                             int parts) {
  __shared__ float of_group[groups][dim];
  const int lane = threadIdx.x % 32;
  const int column = threadIdx.x % dim;
  const int group = threadIdx.x / dim;
  const int first = blockIdx.x * parts;
  float m = -INFINITY;
  for (int p = lane; p < parts; p += 32) m = fmaxf(m, largest[first + p]);
  m = warp_max(m);
  float sum = 0.0f;
  for (int p = lane; p < parts; p += 32) sum += __expf(largest[first + p] - m) * sums[first + p];
  sum = warp_sum(sum);
  float acc = 0.0f;
  for (int p = first + group; p < first + parts; p += groups)
    acc += __expf(largest[p] - m) * accs[p * dim + column];
  of_group[group][column] = acc;
  __syncthreads();
  if (group > 0) return;
  acc = 0.0f;
  for (int g = 0; g < groups; ++g) acc += of_group[g][column];
  out[blockIdx.x * dim + column] = acc / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (heads == 0) return;
  const int parts = (n + part - 1) / part;
  float* scratch;  // largest, sums, accs
  cudaMalloc(&scratch, sizeof(float) * heads * parts * (dim + 2));
  float* sums = scratch + heads * parts;
  float* accs = sums + heads * parts;
  const dim3 grid((parts + warps - 1) / warps, heads);
  part_kernel<<<grid, 32 * warps>>>(q, k, v, scratch, sums, accs, n, parts);
  merge_kernel<<<heads, groups * dim>>>(scratch, sums, accs, out, parts);
  cudaFree(scratch);
}
