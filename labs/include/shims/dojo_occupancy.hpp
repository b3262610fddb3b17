// The occupancy API. Its calls take a kernel of any type; the host interpreter answers with its address.
#pragma once
#ifdef __CUDACC_RTC__

extern "C" __device__ cudaError_t __dojo_OccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize,
                                                                        const void* func, size_t dynamicSMemSize,
                                                                        int blockSizeLimit, unsigned int flags);
extern "C" __device__ cudaError_t __dojo_OccupancyAvailableDynamicSMem(size_t* bytes, const void* func,
                                                                       int numBlocks, int blockSize);
extern "C" __device__ cudaError_t __dojo_OccupancyMaxActiveClusters(int* numClusters, const void* func,
                                                                    const cudaLaunchConfig_t* config);
extern "C" __device__ cudaError_t __dojo_OccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                                          const cudaLaunchConfig_t* config);

template <class _T>
DOJO_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, _T func, int blockSize,
                                                                    size_t dynamicSmemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)func, blockSize, dynamicSmemSize);
}
template <class _T>
DOJO_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, _T func, int blockSize,
                                                                             size_t dynamicSmemSize,
                                                                             unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)func, blockSize,
                                                                dynamicSmemSize, flags);
}
template <class _F>
DOJO_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, _F func,
                                                                  size_t dynamicSMemSize = 0,
                                                                  int blockSizeLimit = 0, unsigned int flags = 0) {
  return __dojo_OccupancyMaxPotentialBlockSize(minGridSize, blockSize, (const void*)func, dynamicSMemSize,
                                               blockSizeLimit, flags);
}
template <class _F>
DOJO_CALL cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, _F func,
                                                         size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit, 0);
}

// Each block size is asked for with the shared memory that `bytesOf` gives for it. The first answer is of the largest
// block; a smaller one must hold more threads per SM.
template <class _F, class _S>
DOJO_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize, _F func,
                                                                              _S bytesOf, int blockSizeLimit = 0,
                                                                              unsigned int flags = 0) {
  struct cudaFuncAttributes kernel;
  int sms = 0;
  cudaError_t e = cudaFuncGetAttributes(&kernel, (const void*)func);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (e != cudaSuccess) return e;
  int most = kernel.maxThreadsPerBlock, best = 0, bestBlocks = 0;
  if (blockSizeLimit > 0 && blockSizeLimit < most) most = blockSizeLimit;
  for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
    const int threads = size < most ? size : most;
    int blocks = 0;
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void*)func, threads,
                                                               size_t(bytesOf(threads)), flags);
    if (e != cudaSuccess) return e;
    if (blocks * threads > bestBlocks * best) best = threads, bestBlocks = blocks;
  }
  *minGridSize = bestBlocks * sms;
  *blockSize = best;
  return cudaSuccess;
}
template <class _F, class _S>
DOJO_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, _F func,
                                                                     _S bytesOf, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, bytesOf, blockSizeLimit,
                                                                 0);
}

template <class _F>
DOJO_CALL cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, _F func, int numBlocks, int blockSize) {
  return __dojo_OccupancyAvailableDynamicSMem(bytes, (const void*)func, numBlocks, blockSize);
}
template <class _F>
DOJO_CALL cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, _F func, const cudaLaunchConfig_t* config) {
  return __dojo_OccupancyMaxActiveClusters(numClusters, (const void*)func, config);
}
template <class _F>
DOJO_CALL cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, _F func, const cudaLaunchConfig_t* config) {
  return __dojo_OccupancyMaxPotentialClusterSize(clusterSize, (const void*)func, config);
}

#endif
