// unconventional: sparse/2-vector
// A block stores the products of eight rows in shared memory. Then 16 lanes add up each row.
constexpr int SIZE = 8 * 64, RPB = 8, LPR = 16;

__global__ void __launch_bounds__(128) k(const int* __restrict__ start, const int* __restrict__ col, const float* __restrict__ value, const float* __restrict__ x, float* y, int rows) {
  __shared__ float p[SIZE];
  __shared__ int s[RPB + 1];
  const int r0 = blockIdx.x * RPB, r1 = min(rows, r0 + RPB);
  for (int i = threadIdx.x; i <= r1 - r0; i += 128) s[i] = start[r0 + i];
  __syncthreads();
  const int first = s[0], count = s[r1 - r0] - first;
  for (int i = threadIdx.x; i < count; i += 128) p[i] = value[first + i] * x[col[first + i]];
  __syncthreads();
  const int g = threadIdx.x / LPR, l = threadIdx.x % LPR;
  float sum = 0;
  if (g < r1 - r0) for (int i = s[g] - first + l; i < s[g + 1] - first; i += LPR) sum += p[i];
  for (int o = LPR / 2; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (l == 0 && g < r1 - r0) y[r0 + g] = sum;
}
void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows) k<<<(rows + RPB - 1) / RPB, 128>>>(row_start, col, value, x, y, rows);
}
