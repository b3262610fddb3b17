// unconventional: attention/1-three-launches
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

// Four rows per block, 64 threads each.
__global__ void columns_kernel(const float* p, const float* v, float* out, int n, int rows) {
  const int i = 4 * blockIdx.x + threadIdx.y;
  const int c = threadIdx.x;
  if (i >= rows) return;
  const float* values = v + size_t(i / n) * n * dim;
  float even = 0.0f;
  float odd = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float term = p[size_t(i) * n + j] * values[j * dim + c];
    if (j % 2 == 0) {
      even += term;
    } else {
      odd += term;
    }
  }
  out[i * dim + c] = even + odd;
}

void attention(const float* q, const float* k, const float* v, float* out, float* s, int n,
               int heads) {
  if (n == 0 || heads == 0) return;
  score_kernel<<<dim3((n + 127) / 128, n, heads), 128>>>(q, k, s, n);
  softmax_kernel<<<heads * n, 32>>>(s, n);
  columns_kernel<<<(heads * n + 3) / 4, dim3(dim, 4)>>>(s, v, out, n, heads * n);
}
