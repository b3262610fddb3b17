// wrong: matmul/10-sgemv-open
// mistake: The sums are added over the whole warp: with kLanes lanes a row, the shuffles must stay within kLanes, or rows are added to each other.
// expect: wrong
constexpr int kThreads = 256;
constexpr int kRowsInFlight = 4;

// A is n x k, row by row; k is a multiple of 4. kLanes lanes work on a row.
template <int kLanes>
__global__ void __launch_bounds__(kThreads) multiply(const float* A, const float* x, float* y, int n, int k) {
  constexpr int kGroups = kThreads / kLanes;  // rows that a block works on at a time
  int lane = threadIdx.x % kLanes, first = blockIdx.x * kGroups * kRowsInFlight + threadIdx.x / kLanes;
  const float4* row[kRowsInFlight];
#pragma unroll
  for (int i = 0; i < kRowsInFlight; ++i)  // past the end: the last row again, so that every lane comes to the shuffles
    row[i] = reinterpret_cast<const float4*>(A + size_t(min(first + i * kGroups, n - 1)) * k);

  float sum[kRowsInFlight] = {};
  for (int p = lane; p < k / 4; p += kLanes) {
    float4 u[kRowsInFlight], v = reinterpret_cast<const float4*>(x)[p];
#pragma unroll
    for (int i = 0; i < kRowsInFlight; ++i) u[i] = __ldcs(&row[i][p]);  // read once: leave the caches to x
#pragma unroll
    for (int i = 0; i < kRowsInFlight; ++i) sum[i] += u[i].x * v.x + u[i].y * v.y + u[i].z * v.z + u[i].w * v.w;
  }

#pragma unroll
  for (int i = 0; i < kRowsInFlight; ++i) {
    for (int d = 16; d > 0; d /= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], d);
    if (lane == 0 && first + i * kGroups < n) y[first + i * kGroups] = sum[i];
  }
}

// Rows that don't start on 16 bytes: a warp a row, 4 bytes a lane.
__global__ void multiply_any(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n) return;  // the whole warp
  float sum = 0.0f;
  for (int p = lane; p < k; p += 32) sum += A[size_t(row) * k + p] * x[p];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

template <int kLanes> void launch(const float* A, const float* x, float* y, int n, int k) {
  int rows = kThreads / kLanes * kRowsInFlight;
  multiply<kLanes><<<(n + rows - 1) / rows, kThreads>>>(A, x, y, n, k);
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  if (k % 4 != 0) multiply_any<<<(n + 7) / 8, kThreads>>>(A, x, y, n, k);
  else if (k <= 16) launch<4>(A, x, y, n, k);
  else if (k <= 32) launch<8>(A, x, y, n, k);
  else if (k <= 64) launch<16>(A, x, y, n, k);
  else launch<32>(A, x, y, n, k);
}
