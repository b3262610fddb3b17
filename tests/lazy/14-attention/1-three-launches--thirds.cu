// lazy: attention/1-three-launches
// expect: gate time_us <= 1.5 * reference(self)
// One fused kernel, launched for a third of the rows each time.
constexpr int dim = 64;

__global__ void fused_kernel(const float* q, const float* k, const float* v, float* out, float* s,
                             int n, int first) {
  const int i = first + blockIdx.x;  // over the rows of all heads
  const int head = i / n * n;
  float* row = s + size_t(i) * n;
  __shared__ float m_of[2], sum_of[2];
  const int t = threadIdx.x;
  for (int j = t; j < n; j += dim) {
    float dot = 0.0f;
    for (int c = 0; c < dim; ++c) dot += q[i * dim + c] * k[(head + j) * dim + c];
    row[j] = dot * 0.125f;
  }
  __syncthreads();
  float m = -INFINITY;
  float sum = 0.0f;
  for (int j = t; j < n; j += dim) m = fmaxf(m, row[j]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  if (t % 32 == 0) m_of[t / 32] = m;
  __syncthreads();
  m = fmaxf(m_of[0], m_of[1]);
  for (int j = t; j < n; j += dim) sum += __expf(row[j] - m);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) sum_of[t / 32] = sum;
  __syncthreads();
  sum = sum_of[0] + sum_of[1];
  for (int j = t; j < n; j += dim) row[j] = __expf(row[j] - m) / sum;
  __syncthreads();
  float o = 0.0f;
  for (int j = 0; j < n; ++j) o += row[j] * v[(head + j) * dim + t];
  out[i * dim + t] = o;
}

void attention(const float* q, const float* k, const float* v, float* out, float* s, int n,
               int heads) {
  if (n == 0 || heads == 0) return;
  const int rows = heads * n, third = (rows + 2) / 3;
  for (int first = 0; first < rows; first += third)
    fused_kernel<<<min(third, rows - first), dim>>>(q, k, v, out, s, n, first);
}
