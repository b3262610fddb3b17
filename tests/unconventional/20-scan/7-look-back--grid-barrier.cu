// unconventional: scan/7-look-back
// Cooperative: every block publishes its tiles' sum, waits for all, and adds the sums before.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 512;
constexpr int each = 8;
constexpr int tile = threads * each;
__device__ int sums[1 << 16];
__device__ int warp_sum(int s) {
  for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(~0u, s, o);
  return s;
}
__global__ void scan_kernel(const int* in, int* out, int n, int base) {
  __shared__ int s[16], t[16], prior;
  __shared__ int tileish[tile + tile / 32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  const int first = base + blockIdx.x * tile;
  for (int i = threadIdx.x; i < tile; i += threads) tileish[i + i / 32] = first + i < n ? in[first + i] : 0;
  __syncthreads();
  int v[each], sum = 0;
  for (int k = 0; k < each; ++k) {
    const int i = threadIdx.x * each + k;
    sum += tileish[i + i / 32];
    v[k] = sum;
  }
  int up = sum;
  for (int o = 1; o < 32; o *= 2) {
    const int b = __shfl_up_sync(~0u, up, o);
    if (lane >= o) up += b;
  }
  if (lane == 31) s[w] = up;
  __syncthreads();
  if (w == 0) {
    int a = lane < 16 ? s[lane] : 0;
    for (int o = 1; o < 16; o *= 2) {
      const int b = __shfl_up_sync(~0u, a, o);
      if (lane >= o) a += b;
    }
    if (lane < 16) s[lane] = a;
    if (lane == 15) sums[base / tile + blockIdx.x] = a;
  }
  cg::this_grid().sync();
  int p = 0;
  for (int b = threadIdx.x; b < base / tile + int(blockIdx.x); b += threads) p += sums[b];
  p = warp_sum(p);
  if (lane == 0) t[w] = p;
  __syncthreads();
  if (w == 0) {
    const int q = warp_sum(lane < 16 ? t[lane] : 0);
    if (lane == 0) prior = q;
  }
  __syncthreads();
  const int add = prior + (w ? s[w - 1] : 0) + up - sum;
  for (int k = 0; k < each; ++k) {
    const int i = threadIdx.x * each + k;
    tileish[i + i / 32] = add + v[k];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < tile; i += threads)
    if (first + i < n) out[first + i] = tileish[i + i / 32];
}
void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  int sms = 0, per = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, scan_kernel, threads, 0);
  const int most = sms * per;
  for (int base = 0; base < n; base += most * tile) {
    const int blocks = min(most, (n - base + tile - 1) / tile);
    void* args[] = {&in, &out, &n, &base};
    cudaLaunchCooperativeKernel((void*)scan_kernel, dim3(blocks), dim3(threads), args, 0, 0);
  }
}
