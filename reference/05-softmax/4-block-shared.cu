// Softmax of rows too long for a warp's registers: a block takes a row and keeps it in shared
// memory as packs of two halves. The block size is the largest of those that keep most threads
// resident.
// Bound by latency: each warp waits for its loads, and then for the others at three barriers.
#include <cuda_fp16.h>

__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// Word p of the buffer holds columns 2 p and 2 p + 1: consecutive threads use consecutive words.
// With an odd number of columns (not `paired`) every other row starts in the middle of a word.
template <bool paired>
__global__ void softmax_kernel(const half* x, half* y, int cols) {
  extern __shared__ half2 row[];  // (cols + 1) / 2 packs
  __shared__ float words[32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  int packs = (cols + 1) / 2;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;

  float m = -INFINITY;
  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    half2 v;
    if (paired)
      v = reinterpret_cast<const half2*>(in)[p];
    else  // past the end: exp(-inf) = 0 adds nothing
      v = __halves2half2(in[2 * p], 2 * p + 1 < cols ? in[2 * p + 1] : __float2half(-INFINITY));
    row[p] = v;
    m = fmaxf(m, fmaxf(__low2float(v), __high2float(v)));
  }
  m = warp_max(m);
  if (lane == 0) words[warp] = m;
  __syncthreads();
  m = warp_max(lane < warps ? words[lane] : -INFINITY);
  __syncthreads();

  float s = 0.0f;
  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    float2 v = __half22float2(row[p]);  // the same thread wrote this word: no barrier between
    s += __expf(v.x - m) + __expf(v.y - m);
  }
  s = warp_sum(s);
  if (lane == 0) words[warp] = s;
  __syncthreads();
  s = warp_sum(lane < warps ? words[lane] : 0.0f);

  float scale = 1.0f / s;  // one division per thread
  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    float2 v = __half22float2(row[p]);
    half2 result = __floats2half2_rn(__expf(v.x - m) * scale, __expf(v.y - m) * scale);
    if (paired)
      reinterpret_cast<half2*>(out)[p] = result;
    else {
      out[2 * p] = __low2half(result);
      if (2 * p + 1 < cols) out[2 * p + 1] = __high2half(result);
    }
  }
}

template <bool paired>
void launch(const half* x, half* y, int rows, int cols) {
  int bytes = (cols + 1) / 2 * int(sizeof(half2));
  auto kernel = softmax_kernel<paired>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // How many threads are resident on an SM with each block size? Largest among equals: fewest
  // rows are in flight.
  int best = 128;
  int most = 0;
  for (int threads = 128; threads <= 1024; threads *= 2) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
    if (blocks * threads >= most) {
      most = blocks * threads;
      best = threads;
    }
  }
  kernel<<<rows, best, bytes>>>(x, y, cols);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 2 == 0)
    launch<true>(x, y, rows, cols);
  else
    launch<false>(x, y, rows, cols);
}
