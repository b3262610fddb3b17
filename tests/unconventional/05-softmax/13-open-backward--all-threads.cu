// unconventional: softmax/13-open-backward
// All threads of an SM, without unused shared memory.
#include <cuda_fp16.h>

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
__device__ float group_sum(float v) {
  for (int d = LANES / 2; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// The packs of one row of y and dy that a thread holds.
template <int STRIDE, int PACKS>
struct Rows {
  static constexpr bool is_long = STRIDE * PACKS >= long_row;
  Pack y[PACKS], dy[PACKS];
  int first, row_packs;

  __device__ Rows(const half* y_row, const half* dy_row, int first, int row_packs)
      : first(first), row_packs(row_packs) {
#pragma unroll
    for (int k = 0; k < PACKS; ++k) {
      y[k] = dy[k] = Pack{};
      if (first + STRIDE * k < row_packs) {
        y[k] = load<is_long>(y_row + (first + STRIDE * k) * 8);
        dy[k] = load<is_long>(dy_row + (first + STRIDE * k) * 8);
      }
    }
  }

  __device__ float dot() const {
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < PACKS; ++k)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        float2 a = __half22float2(y[k].h[j]);
        float2 b = __half22float2(dy[k].h[j]);
        s += a.x * b.x + a.y * b.y;
      }
    return s;
  }

  __device__ void finish(half* dx_row, float dot) const {
#pragma unroll
    for (int k = 0; k < PACKS; ++k)
      if (first + STRIDE * k < row_packs) {
        Pack p;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          float2 a = __half22float2(y[k].h[j]);
          float2 b = __half22float2(dy[k].h[j]);
          p.h[j] = __floats2half2_rn(a.x * (b.x - dot), a.y * (b.y - dot));
        }
        store<is_long>(dx_row + (first + STRIDE * k) * 8, p);
      }
  }
};

// LANES lanes per row.
template <int LANES, int PACKS>
__global__ void __launch_bounds__(128)
    lanes_kernel(const half* y, const half* dy, half* dx, int rows, int cols) {
  int row = (blockIdx.x * 128 + threadIdx.x) / LANES;
  bool mine = row < rows;
  size_t at = size_t(mine ? row : 0) * cols;
  Rows<LANES, PACKS> r(y + at, dy + at, threadIdx.x % LANES, mine ? cols / 8 : 0);
  float dot = group_sum<LANES>(r.dot());
  r.finish(dx + at, dot);
}

// One block per row.
template <int THREADS, int PACKS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    block_kernel(const half* y, const half* dy, half* dx, int cols) {
  __shared__ float words[THREADS / 32];
  size_t at = size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  Rows<THREADS, PACKS> r(y + at, dy + at, threadIdx.x, cols / 8);
  float dot = group_sum<32>(r.dot());
  if (lane == 0) words[threadIdx.x / 32] = dot;
  __syncthreads();
  r.finish(dx + at, group_sum<32>(lane < THREADS / 32 ? words[lane] : 0.0f));
}

// Any width: two passes.
__global__ void any_kernel(const half* y, const half* dy, half* dx, int cols) {
  __shared__ float words[32];
  size_t at = size_t(blockIdx.x) * cols;
  float dot = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 1024)
    dot += __half2float(y[at + c]) * __half2float(dy[at + c]);
  dot = group_sum<32>(dot);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = dot;
  __syncthreads();
  dot = group_sum<32>(words[threadIdx.x % 32]);
  for (int c = threadIdx.x; c < cols; c += 1024)
    dx[at + c] = __float2half(__half2float(y[at + c]) * (__half2float(dy[at + c]) - dot));
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
void by_lanes(const half* y, const half* dy, half* dx, int rows, int cols) {
  lanes_kernel<LANES, PACKS>
      <<<(rows + 128 / LANES - 1) / (128 / LANES), 128, LANES == 2 ? 0 : room(128)>>>(y, dy, dx,
                                                                                      rows, cols);
}

void softmax_backward(const half* y, const half* dy, half* dx, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 8 != 0 || cols > 32768)
    any_kernel<<<rows, 1024>>>(y, dy, dx, cols);
  else if (cols <= 32)
    by_lanes<2, 2>(y, dy, dx, rows, cols);
  else if (cols <= 64)
    by_lanes<8, 1>(y, dy, dx, rows, cols);
  else if (cols <= 128)
    by_lanes<16, 1>(y, dy, dx, rows, cols);
  else if (cols <= 256)
    by_lanes<32, 1>(y, dy, dx, rows, cols);
  else if (cols <= 512)
    block_kernel<64, 1, 24><<<rows, 64, room(64)>>>(y, dy, dx, cols);
  else if (cols <= 1024)
    block_kernel<128, 1, 12><<<rows, 128, room(128)>>>(y, dy, dx, cols);
  else if (cols <= 2048)
    block_kernel<256, 1, 6><<<rows, 256, room(256)>>>(y, dy, dx, cols);
  else if (cols <= 4096)
    block_kernel<512, 1, 4><<<rows, 512>>>(y, dy, dx, cols);
  else if (cols <= 8192)
    block_kernel<1024, 1, 2><<<rows, 1024>>>(y, dy, dx, cols);
  else if (cols <= 16384)
    block_kernel<1024, 2, 1><<<rows, 1024>>>(y, dy, dx, cols);
  else
    block_kernel<1024, 4, 1><<<rows, 1024>>>(y, dy, dx, cols);
}
