// lazy: banks/4-packs
// expect: gate shared_load_lane_bytes >= 3.9 * rows * cols (cols=8192, rows=64)
// Shared stores for show: the row stays in registers, and shared memory is not read.
// Subtracts from every row its maximum. Element j of pack id lies at packs * j + id: for each j,
// consecutive lanes write consecutive words, so scalar stores are free of conflicts. Bound by DRAM.

constexpr int pack_size = 4;
constexpr int threads = 256;
constexpr int max_cols = 8192;

// The largest value of the block, for all threads.
__device__ float block_max(float value) {
  __shared__ float of_warp[threads / 32];
  for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, d));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  for (int w = 0; w < threads / 32; ++w) value = fmaxf(value, of_warp[w]);
  return value;
}

// One block per row; cols is a multiple of 4, at most 8192.
__global__ void subtract_row_max(const float* in, float* out, int cols) {
  __shared__ alignas(16) float buf[max_cols];
  volatile float* slot = buf;  // volatile: every store stays a store of its own
  int packs = cols / pack_size;
  const float4* from = reinterpret_cast<const float4*>(in + blockIdx.x * cols);
  float4* to = reinterpret_cast<float4*>(out + blockIdx.x * cols);
  float4 kept[max_cols / pack_size / threads];
  float largest = in[blockIdx.x * cols];  // any element of the row to start from
#pragma unroll
  for (int round = 0; round < max_cols / pack_size / threads; ++round) {
    const int id = threadIdx.x + round * threads;
    if (id >= packs) break;
    float4 pack = kept[round] = from[id];
    const float x[pack_size] = {pack.x, pack.y, pack.z, pack.w};
    for (int j = 0; j < pack_size; ++j) {
      slot[packs * j + id] = x[j];
      largest = fmaxf(largest, x[j]);
    }
  }
  largest = block_max(largest);
#pragma unroll
  for (int round = 0; round < max_cols / pack_size / threads; ++round) {
    const int id = threadIdx.x + round * threads;
    if (id >= packs) break;
    const float4 x = kept[round];
    to[id] = {x.x - largest, x.y - largest, x.z - largest, x.w - largest};
  }
}

void subtract_max(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  subtract_row_max<<<rows, threads>>>(in, out, cols);
}
