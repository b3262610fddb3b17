// lazy: attention/6-split-kv
// expect: gate tail_idle <= 0.6
// One block per head walks all keys. Three more per head end at once.
constexpr int dim = 64;
constexpr int warps = 32;
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

__global__ void __launch_bounds__(1024)
    head_kernel(const float* q, const float* k, const float* v, float* out, int n) {
  __shared__ alignas(16) float query[dim];
  __shared__ float ms[warps], ss[warps], as[warps][dim];
  if (blockIdx.y) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, head = blockIdx.x;
  if (threadIdx.x < dim) query[threadIdx.x] = q[head * dim + threadIdx.x] * 0.125f;
  __syncthreads();
  float m = -INFINITY, sum = 0, acc0 = 0, acc1 = 0;
  for (int first = warp * part; first < n; first += warps * part) {
    const int keys = min(part, n - first);
    const float* rows = k + (size_t(head) * n + first) * dim;
    const float* values = v + (size_t(head) * n + first) * dim;
    float s = -INFINITY;
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
    const float more = fmaxf(m, warp_max(s));
    const float scale = __expf(m - more), weight = __expf(s - more);
    m = more;
    sum = sum * scale + warp_sum(weight);
    acc0 *= scale;
    acc1 *= scale;
#pragma unroll 32
    for (int key = 0; key < keys; ++key) {
      const float w = __shfl_sync(0xffffffffu, weight, key);
      acc0 += w * values[key * dim + lane];
      acc1 += w * values[key * dim + lane + 32];
    }
  }
  if (lane == 0) {
    ms[warp] = m;
    ss[warp] = sum;
  }
  as[warp][lane] = acc0;
  as[warp][lane + 32] = acc1;
  __syncthreads();
  if (threadIdx.x >= dim) return;
  float all = -INFINITY, total = 0, acc = 0;
  for (int w = 0; w < warps; ++w) all = fmaxf(all, ms[w]);
  for (int w = 0; w < warps; ++w) {
    const float scale = __expf(ms[w] - all);
    total += ss[w] * scale;
    acc += as[w][threadIdx.x] * scale;
  }
  out[head * dim + threadIdx.x] = acc / total;
}
void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (heads) head_kernel<<<dim3(heads, 4), 1024>>>(q, k, v, out, n);
}
