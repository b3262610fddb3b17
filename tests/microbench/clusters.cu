// What a cluster of blocks costs: its barrier, loads, stores and atomics in another block's shared memory, its launch.
//   nvcc -O3 -std=c++17 -arch=sm_90 clusters.cu -o clusters && ./clusters
// Cycles by clock64() of warp 0 of each block, the mean of all blocks; launches by events, the median of 21.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "clusters.cuh"

__global__ void nothing(int) {}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads);
  cudaLaunchAttribute size[1];
  size[0].id = cudaLaunchAttributeClusterDimension;
  size[0].val.clusterDim.x = cluster, size[0].val.clusterDim.y = size[0].val.clusterDim.z = 1;
  config.attrs = size, config.numAttrs = cluster ? 1 : 0;
  if (cluster > 8) cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  const cudaError_t status = cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
  if (status != cudaSuccess) std::printf("%s\n", cudaGetErrorString(status));
}

double mean_cycles(int blocks) {
  std::vector<long long> c(blocks);
  cudaMemcpyFromSymbol(c.data(), cycles, blocks * sizeof(long long));
  double sum = 0;
  for (long long v : c) sum += double(v);
  return sum / blocks;
}

void report(void (*kernel)(int, int, int), const char* name, int bytes, int cluster, int blocks, int stride) {
  const int rounds = 256;
  for (int threads : {32, 128, 512, 1024})
    for (int distance : {0, 1}) {
      for (int i = 0; i < 2; ++i) launch(kernel, blocks, threads, cluster, distance, rounds, stride);
      std::printf("%-12s %2d bytes, stride %2d, cluster %2d, %3d blocks, %4d threads, distance %d: %8.2f cycles per warp instruction of the SM\n", name,
                  bytes, stride, cluster, blocks, threads, distance, mean_cycles(blocks) / rounds / (threads / 32));
    }
}

/// Time per launch of a chain of 200.
double launch_us(void (*kernel)(int), int blocks, int threads, int cluster) {
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<float> times;
  for (int k = 0; k < 21; ++k) {
    cudaEventRecord(a);
    for (int i = 0; i < 200; ++i) launch(kernel, blocks, threads, cluster, 1);
    cudaEventRecord(b), cudaEventSynchronize(b);
    float ms = 0;
    cudaEventElapsedTime(&ms, a, b);
    times.push_back(ms * 1000 / 200);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

int main() {
  for (int cluster : {1, 2, 4, 8, 16})
    for (int threads : {32, 256, 1024}) {
      for (int i = 0; i < 2; ++i) launch(cluster_barriers, 16, threads, cluster, 64);
      const double whole = mean_cycles(16);
      for (int i = 0; i < 2; ++i) launch(block_barriers, 16, threads, cluster, 64);
      std::printf("barrier      cluster %2d, %4d threads: %8.1f cycles, of the block %6.1f\n", cluster, threads, whole, mean_cycles(16));
    }
  for (int blocks : {16, 128})
    for (int cluster : {2, 8})
      for (int distance : {0, 1, cluster - 1}) {
        for (int i = 0; i < 2; ++i) launch(chase, blocks, 32, cluster, distance, 256);
        std::printf("chase        cluster %2d, %3d blocks, distance %d: %8.1f cycles\n", cluster, blocks, distance, mean_cycles(blocks));
      }
  for (int cluster : {2, 8})
    for (int blocks : {16, 128}) {
      report(load_4, "load", 4, cluster, blocks, 1), report(load_16, "load", 16, cluster, blocks, 1);
      report(store_4, "store", 4, cluster, blocks, 1), report(store_16, "store", 16, cluster, blocks, 1);
      report(add_4, "add", 4, cluster, blocks, 1), report(add_one_4, "add one", 4, cluster, blocks, 1);
    }
  report(load_4, "load", 4, 8, 128, 2), report(load_4, "load", 4, 8, 128, 32);
  for (int cluster : {0, 1, 2, 4, 8, 16})
    for (int blocks : {16, 128, 1024})
      std::printf("launch       cluster %2d, %4d blocks of 256: %6.2f us nothing, %6.2f us one barrier of the cluster\n", cluster, blocks,
                  launch_us(nothing, blocks, 256, cluster), launch_us(cluster_barriers, blocks, 256, cluster));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
