// unconventional: softmax/13-open
// All threads of an SM, without unused shared memory.
#include <cuda_fp16.h>

constexpr float log2e = 1.4426950408889634f;

struct alignas(16) Pack {
  half2 h[4];
};

// As int4: one load or store of 16 bytes. The caches are told that nothing of long rows is used
// again, which makes those 1 to 7 % faster. Shorter ones it makes up to 2 % slower
// (tests/tuning/softmax_widths.cu, on an H100 and an H200).
template <bool LONG>
__device__ Pack load(const half* p) {
  const int4* from = reinterpret_cast<const int4*>(p);
  int4 v = LONG ? __ldcs(from) : *from;
  return reinterpret_cast<Pack&>(v);
}

template <bool LONG>
__device__ void store(half* p, Pack k) {
  int4* to = reinterpret_cast<int4*>(p);
  if (LONG)
    __stcs(to, reinterpret_cast<int4&>(k));
  else
    *to = reinterpret_cast<int4&>(k);
}

constexpr int long_row = 4096 / 8;  // packs

template <int LANES>
__device__ float group_max(float v) {
  for (int d = LANES / 2; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

template <int LANES>
__device__ float group_sum(float v) {
  for (int d = LANES / 2; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// What a thread or a group knows of a row: its maximum, and the sum of exp(x - m). The maximum is
// taken off before anything is multiplied: for large x the product would lose the digits that
// matter.
struct Part {
  float m, s;
};

template <int PACKS>
__device__ float packs_max(const Pack (&p)[PACKS]) {
  half2 m = p[0].h[0];
#pragma unroll
  for (int k = 0; k < PACKS; ++k)
#pragma unroll
    for (int j = 0; j < 4; ++j) m = __hmax2_nan(m, p[k].h[j]);
  return __hmax_nan(__low2half(m), __high2half(m));
}

template <int PACKS>
__device__ float packs_sum(const Pack (&p)[PACKS], float m) {
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < PACKS; ++k)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float2 f = __half22float2(p[k].h[j]);
      s += exp2f((f.x - m) * log2e) + exp2f((f.y - m) * log2e);
    }
  return s;
}

// exp(x - m) / 2^log_sum, packed again.
__device__ Pack result(Pack p, float m, float log_sum) {
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float2 f = __half22float2(p.h[j]);
    p.h[j] =
        __floats2half2_rn(exp2f((f.x - m) * log2e - log_sum), exp2f((f.y - m) * log2e - log_sum));
  }
  return p;
}

constexpr unsigned minus_infinities = 0xfc00fc00u;  // two halves

template <int STRIDE, int PACKS>
__device__ void load_row(Pack (&p)[PACKS], const half* row, int first, int row_packs) {
#pragma unroll
  for (int k = 0; k < PACKS; ++k) {
    if (first + STRIDE * k < row_packs)
      p[k] = load<STRIDE * PACKS >= long_row>(row + (first + STRIDE * k) * 8);
    else
#pragma unroll
      for (int j = 0; j < 4; ++j) reinterpret_cast<unsigned&>(p[k].h[j]) = minus_infinities;
  }
}

template <int STRIDE, int PACKS>
__device__ void store_row(const Pack (&p)[PACKS], half* row, int first, int row_packs, float m,
                          float log_sum) {
#pragma unroll
  for (int k = 0; k < PACKS; ++k)
    if (first + STRIDE * k < row_packs)
      store<STRIDE * PACKS >= long_row>(row + (first + STRIDE * k) * 8, result(p[k], m, log_sum));
}

// LANES lanes per row.
template <int LANES, int PACKS>
__global__ void __launch_bounds__(128) lanes_kernel(const half* x, half* y, int rows, int cols) {
  int row = (blockIdx.x * 128 + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  bool mine = row < rows;
  size_t first = size_t(mine ? row : 0) * cols;
  Pack p[PACKS];
  load_row<LANES>(p, x + first, lane, mine ? cols / 8 : 0);
  float m = group_max<LANES>(packs_max(p));
  float s = group_sum<LANES>(packs_sum(p, m));
  if (mine) store_row<LANES>(p, y + first, lane, cols / 8, m, log2f(s));
}

// One block per row and one barrier: each warp sums with its own maximum, and the sums are scaled
// when they meet.
template <int THREADS, int PACKS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) block_kernel(const half* x, half* y, int cols) {
  __shared__ Part parts[THREADS / 32];
  size_t first = size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  Pack p[PACKS];
  load_row<THREADS>(p, x + first, threadIdx.x, cols / 8);
  float m = group_max<32>(packs_max(p));
  float s = m == -INFINITY ? 0.0f : group_sum<32>(packs_sum(p, m));
  if (lane == 0) parts[warp] = {m, s};
  __syncthreads();
  Part q = lane < THREADS / 32 ? parts[lane] : Part{-INFINITY, 0.0f};
  m = group_max<32>(q.m);
  s = group_sum<32>(q.m == -INFINITY ? 0.0f : q.s * exp2f((q.m - m) * log2e));
  store_row<THREADS>(p, y + first, threadIdx.x, cols / 8, m, log2f(s));
}

// Any width, also one that is no multiple of 8: three passes.
__global__ void any_kernel(const half* x, half* y, int cols) {
  __shared__ float words[32];
  size_t first = size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  float m = -INFINITY;
  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 1024) m = fmaxf(m, __half2float(x[first + c]));
  m = group_max<32>(m);
  if (lane == 0) words[warp] = m;
  __syncthreads();
  m = group_max<32>(words[lane]);
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += 1024) s += __expf(__half2float(x[first + c]) - m);
  s = group_sum<32>(s);
  if (lane == 0) words[warp] = s;
  __syncthreads();
  s = group_sum<32>(words[lane]);
  for (int c = threadIdx.x; c < cols; c += 1024)
    y[first + c] = __float2half(__expf(__half2float(x[first + c]) - m) / s);
}

// Shared memory that no kernel uses: with so much per block, no more than 1536 of an H100's 2048
// threads fit on an SM. All of them have more rows in flight than DRAM serves well (1 to 3 %
// slower). An H200's DRAM is 1.4 times as fast, and there all of them are 2 to 4 % faster. Both are
// in tests/tuning/softmax_widths.cu.
int room(int threads) {
  int shared = 0;
  int kilohertz = 0;
  int bits = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0);
  return 0 * shared;  // less what the system and the kernel itself take
}

template <int LANES, int PACKS>
void by_lanes(const half* x, half* y, int rows, int cols) {
  int rows_per_block = 128 / LANES;
  int bytes = LANES < 8 ? 0 : room(128);
  lanes_kernel<LANES, PACKS>
      <<<(rows + rows_per_block - 1) / rows_per_block, 128, bytes>>>(x, y, rows, cols);
}

// The shapes were tried on an H100 and an H200 (tests/tuning/softmax_widths.cu); the pattern is two
// packs per thread, or four where a row is long. There are always two blocks or more on an SM: one
// loads while the other computes.
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 8 != 0 || cols > 32768)
    any_kernel<<<rows, 1024>>>(x, y, cols);
  else if (cols <= 32)
    by_lanes<4, 1>(x, y, rows, cols);
  else if (cols <= 64)
    by_lanes<4, 2>(x, y, rows, cols);
  else if (cols <= 128)
    by_lanes<8, 2>(x, y, rows, cols);
  else if (cols <= 256)
    by_lanes<16, 2>(x, y, rows, cols);
  else if (cols <= 512)
    by_lanes<32, 2>(x, y, rows, cols);
  else if (cols <= 1024)
    block_kernel<64, 2, 24><<<rows, 64, room(64)>>>(x, y, cols);
  else if (cols <= 2048)
    block_kernel<128, 2, 12><<<rows, 128, room(128)>>>(x, y, cols);
  else if (cols <= 4096)
    block_kernel<256, 2, 6><<<rows, 256, room(256)>>>(x, y, cols);
  else if (cols <= 8192)
    block_kernel<512, 2, 3><<<rows, 512>>>(x, y, cols);
  else if (cols <= 16384)
    block_kernel<1024, 2, 2><<<rows, 1024>>>(x, y, cols);
  else
    block_kernel<1024, 4, 2><<<rows, 1024>>>(x, y, cols);
}
