// wrong: matmul/10-sgemv-open
// mistake: Rows are 0 to n - 1: the check is < n. Where n is a multiple of the rows per block, row n is past the end.
// expect: finding out_of_bounds
// y = A x for any k. A is read once and nothing is used twice, so what counts is bytes in flight.
// A lane loads 16 bytes of each of four rows before it adds anything up. A row has as many lanes
// as it has 16-byte pieces: 4 for k = 16, 8 for 32, 32 from 128 on. So a warp then loads 512
// consecutive bytes. The sums of a row need log2(lanes per row) shuffles.
// Bound by DRAM.

constexpr int threads = 256;
constexpr int rows_in_flight = 4;

// A is n x k, row by row; k is a multiple of 4. `lanes` lanes work on a row.
template <int lanes>
__global__ void __launch_bounds__(threads)
    multiply(const float* A, const float* x, float* y, int n, int k) {
  constexpr int groups = threads / lanes;  // rows that a block works on at a time
  int lane = threadIdx.x % lanes;
  int first = blockIdx.x * groups * rows_in_flight + threadIdx.x / lanes;
  const float4* row[rows_in_flight];
#pragma unroll
  for (int i = 0; i < rows_in_flight;
       ++i)  // past the end: the last row again, so that every lane comes to the shuffles
    row[i] = reinterpret_cast<const float4*>(A + size_t(min(first + i * groups, n - 1)) * k);

  float sum[rows_in_flight] = {};
  for (int p = lane; p < k / 4; p += lanes) {
    float4 u[rows_in_flight], v = reinterpret_cast<const float4*>(x)[p];
#pragma unroll
    for (int i = 0; i < rows_in_flight; ++i)
      u[i] = __ldcs(&row[i][p]);  // read once: leave the caches to x
#pragma unroll
    for (int i = 0; i < rows_in_flight; ++i)
      sum[i] += u[i].x * v.x + u[i].y * v.y + u[i].z * v.z + u[i].w * v.w;
  }

#pragma unroll
  for (int i = 0; i < rows_in_flight; ++i) {
    for (int d = lanes / 2; d > 0; d /= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], d);
    if (lane == 0 && first + i * groups <= n) y[first + i * groups] = sum[i];
  }
}

// Rows that don't start on 16 bytes: a warp per row, 4 bytes per lane.
__global__ void multiply_any(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * (threads / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= n) return;  // the whole warp
  float sum = 0.0f;
  for (int p = lane; p < k; p += 32) sum += A[size_t(row) * k + p] * x[p];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

template <int lanes>
void launch(const float* A, const float* x, float* y, int n, int k) {
  int rows = threads / lanes * rows_in_flight;
  multiply<lanes><<<(n + rows - 1) / rows, threads>>>(A, x, y, n, k);
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  if (k % 4 != 0)
    multiply_any<<<(n + 7) / 8, threads>>>(A, x, y, n, k);
  else if (k <= 16)
    launch<4>(A, x, y, n, k);
  else if (k <= 32)
    launch<8>(A, x, y, n, k);
  else if (k <= 64)
    launch<16>(A, x, y, n, k);
  else
    launch<32>(A, x, y, n, k);
}
