// Attention in three launches: scores, softmax, weighted sum.
// Bound by latency at the default size. On a full GPU bound by L1 and L2: the lanes of a score read
// 32 different keys per load, and S crosses the memory four times.
constexpr int dim = 64;

__global__ void score_kernel(const float* q, const float* k, float* s,
                             int n) {  // one thread per pair
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y;
  const int head = blockIdx.z * n;
  if (j >= n) return;
  float dot = 0.0f;
  for (int c = 0; c < dim; ++c) dot += q[(head + i) * dim + c] * k[(head + j) * dim + c];
  s[size_t(head + i) * n + j] = dot * 0.125f;
}

__global__ void softmax_kernel(float* s, int n) {  // one warp per row
  float* row = s + size_t(blockIdx.x) * n;
  float m = -INFINITY;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < n; j += 32) m = fmaxf(m, row[j]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  for (int j = threadIdx.x; j < n; j += 32) sum += __expf(row[j] - m);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int j = threadIdx.x; j < n; j += 32) row[j] = __expf(row[j] - m) / sum;
}

__global__ void weigh_kernel(const float* p, const float* v, float* out,
                             int n) {  // one thread per column
  const int i = blockIdx.x;            // over the rows of all heads
  const int c = threadIdx.x;
  v += i / n * n * dim;  // the values of this row's head
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) sum += p[size_t(i) * n + j] * v[j * dim + c];
  out[i * dim + c] = sum;
}

void attention(const float* q, const float* k, const float* v, float* out, float* s, int n,
               int heads) {
  if (n == 0 || heads == 0) return;
  score_kernel<<<dim3((n + 127) / 128, n, heads), 128>>>(q, k, s, n);
  softmax_kernel<<<heads * n, 32>>>(s, n);
  weigh_kernel<<<heads * n, dim>>>(s, v, out, n);
}
