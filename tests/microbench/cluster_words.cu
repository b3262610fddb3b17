// What accesses to words all over a cluster cost, float additions to one word, and how many clusters find a place.
//   nvcc -O3 -std=c++17 -arch=sm_90 cluster_words.cu -o cluster_words && ./cluster_words
// Cycles by clock64() of warp 0 of each block, the mean of all blocks, of a second launch; times by events, the median of 11.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "cluster_words.cuh"

cudaLaunchConfig_t shape(cudaLaunchAttribute* size, int blocks, int threads, int cluster, int shared) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.dynamicSmemBytes = shared;
  size->id = cudaLaunchAttributeClusterDimension;
  size->val.clusterDim.x = cluster, size->val.clusterDim.y = size->val.clusterDim.z = 1;
  config.attrs = size, config.numAttrs = 1;
  return config;
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster, int shared, Arguments... arguments) {
  cudaLaunchAttribute size;
  const cudaLaunchConfig_t config = shape(&size, blocks, threads, cluster, shared);
  if (cluster > 8) cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
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

void report(void (*kernel)(int, int), const char* name, int cluster, int blocks) {
  const int rounds = 64;
  for (int threads : {32, 256, 1024})
    for (int distance : {0, 1, -1}) {
      for (int i = 0; i < 2; ++i) launch(kernel, blocks, threads, cluster, 0, distance, rounds);
      std::printf("%-14s cluster %2d, %3d blocks, %4d threads, distance %2d: %8.2f cycles per warp instruction of the SM\n", name, cluster, blocks,
                  threads, distance, mean_cycles(blocks) / rounds / (threads / 32));
    }
}

void report(void (*kernel)(int, int, int), const char* name, int cluster, int remote) {
  const int rounds = 64, blocks = cluster * 8;
  for (int adders : {1, 2, 4, 8, 16}) {
    for (int i = 0; i < 2; ++i) launch(kernel, blocks, 512, cluster, 0, adders, remote, rounds);
    std::printf("%-14s cluster %2d, %2d warps per block, %s: %8.1f cycles per addition of a warp\n", name, cluster, adders,
                remote ? "to rank 0" : "to its own", mean_cycles(blocks) / rounds);
  }
}

/// Microseconds of one launch of `clusters` clusters whose blocks keep an SM's shared memory for 20,000 cycles.
double busy_us(int* sm, int clusters, int cluster, int threads, int shared) {
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<float> times;
  for (int k = 0; k < 11; ++k) {
    cudaEventRecord(a);
    launch(keep_place, clusters * cluster, threads, cluster, shared, sm, 20000);
    cudaEventRecord(b), cudaEventSynchronize(b);
    float ms = 0;
    cudaEventElapsedTime(&ms, a, b);
    times.push_back(ms * 1000);
  }
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  return times[5];
}

int main() {
  for (int cluster : {2, 8, 16})
    for (int blocks : {16, 128}) {
      report(scatter_loads, "scatter load", cluster, blocks);
      report(scatter_stores, "scatter store", cluster, blocks);
      report(scatter_adds, "scatter add", cluster, blocks);
    }
  for (int cluster : {1, 2, 4, 8})
    for (int remote : {0, 1}) report(add_floats, "add float", cluster, remote), report(add_ints, "add int", cluster, remote);
  int* sm = nullptr;
  cudaMalloc(&sm, 4096 * sizeof(int));
  for (int shared : {200 << 10, 100 << 10, 64 << 10, 28 << 10})
    for (int threads : {256, 1024})
      for (int cluster : {1, 2, 4, 8, 16}) {
        cudaLaunchAttribute size;
        cudaFuncSetAttribute(keep_place, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
        cudaFuncSetAttribute(keep_place, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        const cudaLaunchConfig_t config = shape(&size, cluster, threads, cluster, shared);
        int most = 0;
        cudaOccupancyMaxActiveClusters(&most, keep_place, &config);
        std::printf("places         cluster %2d, %4d threads, %3d KiB: %4d clusters, %6.2f us with one less, %6.2f us with these, %6.2f us with one more\n",
                    cluster, threads, shared >> 10, most, busy_us(sm, std::max(1, most - 1), cluster, threads, shared),
                    busy_us(sm, most, cluster, threads, shared), busy_us(sm, most + 1, cluster, threads, shared));
      }
  for (int clusters : {7, 8, 14, 15, 16, 17})
    std::printf("%-14s %d of 8 blocks, 1024 threads, 28 KiB: %6.2f us\n", "in turn", clusters, busy_us(sm, clusters, 8, 1024, 28 << 10));
  for (int cluster : {16, 8, 2}) {
    const int blocks = 128;
    launch(keep_place, blocks, 1024, cluster, 200 << 10, sm, 20000);
    std::vector<int> on(blocks);
    cudaMemcpy(on.data(), sm, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i) std::printf("%s%d%s", i % cluster ? " " : "SMs of a cluster: ", on[i], i % cluster == cluster - 1 ? "\n" : "");
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
