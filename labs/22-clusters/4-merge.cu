// How often each of the 4096 values occurs: a copy per block, and each block adds its copy to the
// result.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 1024, cluster_size = 8, values = 4096;

__global__ void __cluster_dims__(cluster_size, 1, 1)
    histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int mine[values];
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  // TODO: give each block of the cluster 512 of the bins. It adds these bins of all 8 copies.
  for (int b = threadIdx.x; b < values; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
}

void histogram(const int* data, int* bins, int n) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<16 * cluster_size, threads>>>(data, bins, n);
}
