// lazy: attention/2-online
// expect: gate shared_store_lane_bytes + 128 * shared_atomics + 32 * local_store_sectors <= 2 * 256 * heads * n
// One pass over the keys, one over the values. The scores of a query wait in shared memory in between.
constexpr int dim = 64, warps = 4;
__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out, int n) {
  extern __shared__ float every[];
  const int i = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  float* s = every + threadIdx.x / 32 * n;
  if (i >= n) return;
  const int head = blockIdx.y * n * dim;
  q += head;
  k += head;
  v += head;
  out += head;
  const float q0 = q[i * dim + lane] * 0.125f, q1 = q[i * dim + lane + 32] * 0.125f;
  float m = -1e30f;
  for (int j = 0; j < n; ++j) {
    float x = q0 * k[j * dim + lane] + q1 * k[j * dim + lane + 32];
    for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
    if (lane == 0) s[j] = x;
    m = fmaxf(m, x);
  }
  __syncwarp();
  float sum = 0, a = 0, b = 0;
  for (int j = 0; j < n; ++j) {
    const float w = __expf(s[j] - m);
    sum += w;
    a += w * v[j * dim + lane];
    b += w * v[j * dim + lane + 32];
  }
  out[i * dim + lane] = a / sum;
  out[i * dim + lane + 32] = b / sum;
}
void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n && heads)
    attention_kernel<<<dim3((n + warps - 1) / warps, heads), 32 * warps, 4 * warps * n>>>(q, k, v, out, n);
}
