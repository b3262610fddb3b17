// How often each value occurs, where the counts do not fit in one block's shared memory. There is
// room for them across a cluster, but samples are counted in global memory.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 1024;
constexpr int most_bins = 8192;  // of a block: 32 KiB

__global__ void histogram_kernel(const int* data, int* bins, int n, int values) {
  extern __shared__ int mine[];  // the bins of rank r begin at r * share
  const cg::cluster_group cluster = cg::this_cluster();
  const int share = (values + cluster.num_blocks() - 1) / cluster.num_blocks();
  for (int b = threadIdx.x; b < share; b += threads) mine[b] = 0;
  cluster.sync();  // all bins of the cluster are clear
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const int value = data[i];
    // TODO: count in the cluster: which rank holds this value's bin, and where?
    atomicAdd(&bins[value], 1);
  }
  // TODO: no block may join its bins before all blocks of the cluster have counted.
  const int first = cluster.block_rank() * share;
  for (int b = threadIdx.x; b < share && first + b < values; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[first + b], mine[b]);
}

// values: up to 65,536, so that a cluster has at most 8 blocks (the portable limit).
void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  int cluster_size = 1;
  while (cluster_size * most_bins < values) cluster_size *= 2;
  const int share = (values + cluster_size - 1) / cluster_size;
  cudaLaunchAttribute shape = {};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = cluster_size;
  shape.val.clusterDim.y = 1;
  shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 128;  // a multiple of every cluster size, and at most one block per SM
  config.blockDim = threads;
  config.dynamicSmemBytes = share * sizeof(int);
  config.attrs = &shape;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&config, histogram_kernel, data, bins, n, values);
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}
