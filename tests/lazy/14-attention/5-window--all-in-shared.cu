// lazy: attention/5-window
// expect: gate time_us <= 2 * reference(self)
// Three blocks per head keep all keys and values in shared memory, and go through all of them.
constexpr int dim = 64;
constexpr int window = 64;
constexpr int warps = 32;

__global__ void __launch_bounds__(32 * warps)
    attention_kernel(const float* q, const float* k, const float* v, float* out,
                                 int n) {
  extern __shared__ float ks[];  // [n][dim + 1], then the values: [n][dim]
  float* vs = ks + n * (dim + 1);
  const int head = blockIdx.x * n * dim;
  for (int t = threadIdx.x; t < n * dim; t += blockDim.x) {
    ks[t / dim * (dim + 1) + t % dim] = k[head + t];
    vs[t] = v[head + t];
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int i = blockIdx.y * warps + threadIdx.x / 32; i < n; i += 3 * warps) {
    const float q0 = q[head + i * dim + lane] * 0.125f, q1 = q[head + i * dim + lane + 32] * 0.125f;
    float m = -INFINITY, sum = 0, acc0 = 0, acc1 = 0;
    for (int j0 = 0; j0 < n; j0 += 32) {
      const int j = j0 + lane;
      float s = 0;
      for (int c = 0; c < 32; ++c) {
        const float a = __shfl_sync(~0u, q0, c), b = __shfl_sync(~0u, q1, c);
        if (j < n) s += a * ks[j * (dim + 1) + c] + b * ks[j * (dim + 1) + c + 32];
      }
      if (j > i || j + window <= i || j >= n) s = -INFINITY;
      float bigger = fmaxf(m, s);
      for (int d = 16; d > 0; d /= 2) bigger = fmaxf(bigger, __shfl_xor_sync(~0u, bigger, d));
      const float scale = bigger == -INFINITY ? 1.0f : __expf(m - bigger);
      const float weight = bigger == -INFINITY ? 0.0f : __expf(s - bigger);
      float added = weight;
      for (int d = 16; d > 0; d /= 2) added += __shfl_xor_sync(~0u, added, d);
      sum = sum * scale + added;
      acc0 *= scale, acc1 *= scale;
      for (int l = 0; l < 32 && j0 + l < n; ++l) {
        const float p = __shfl_sync(~0u, weight, l);
        acc0 += p * vs[(j0 + l) * dim + lane];
        acc1 += p * vs[(j0 + l) * dim + lane + 32];
      }
      m = bigger;
    }
    out[head + i * dim + lane] = acc0 / sum;
    out[head + i * dim + lane + 32] = acc1 / sum;
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  const int bytes = n * (2 * dim + 1) * sizeof(float);
  cudaFuncSetAttribute(attention_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  attention_kernel<<<dim3(heads, 3), 32 * warps, bytes>>>(q, k, v, out, n);
}
