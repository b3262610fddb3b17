// Devices, errors, kernels' attributes and occupancy.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

using dojo::exec::failed;

namespace {
/// Success for device 0, the only one; else cudaErrorInvalidDevice.
cudaError_t of_device_0(int device) {
  return device == 0 ? cudaSuccess : cudaError_t(failed(cudaErrorInvalidDevice));
}
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* n) WARPDOJO_CALL("__cudaCDP2GetDeviceCount", "cudaGetDeviceCount", n);
cudaError_t cudaGetDevice(int* device) WARPDOJO_CALL("__cudaCDP2GetDevice", "cudaGetDevice", device);
cudaError_t cudaSetDevice(int device) WARPDOJO_CALL("cudaSetDevice", "cudaSetDevice", device);
cudaError_t cudaInitDevice(int device, unsigned, unsigned)
    WARPDOJO_CALL("cudaInitDevice", "cudaInitDevice", device);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = cudaDeviceMapHost;  // as an H200 answers where nothing was set
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device)
    WARPDOJO_CALL("cudaGetDeviceProperties", "cudaGetDeviceProperties", p, device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
    WARPDOJO_CALL("__cudaCDP2DeviceGetAttribute", "cudaDeviceGetAttribute", value, attribute, device);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit)
    WARPDOJO_CALL("__cudaCDP2DeviceGetLimit", "cudaDeviceGetLimit", value, limit);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
    WARPDOJO_CALL("cudaDeviceSetLimit", "cudaDeviceSetLimit", limit, value);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* c) {
  *c = cudaFuncCachePreferNone;
  return cudaSuccess;
}
// The banks of shared memory have been 4 bytes wide on all GPUs since Kepler.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* c) {
  *c = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
    WARPDOJO_CALL("cudaDeviceGetStreamPriorityRange", "cudaDeviceGetStreamPriorityRange", least, greatest);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
    WARPDOJO_CALL("cudaDeviceCanAccessPeer", "cudaDeviceCanAccessPeer", can, device, peer);
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* v) WARPDOJO_CALL("cudaDriverGetVersion", "cudaDriverGetVersion", v);
cudaError_t cudaRuntimeGetVersion(int* v)
    WARPDOJO_CALL("__cudaCDP2RuntimeGetVersion", "cudaRuntimeGetVersion", v);
cudaError_t cudaDeviceGetPCIBusId(char* id, int n, int device) {
  if (!id || n < 13) return cudaError_t(failed(cudaErrorInvalidValue));
  std::memcpy(id, "0000:00:00.0", 13);
  return of_device_0(device);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void) WARPDOJO_CALL("__cudaCDP2GetLastError", "cudaGetLastError");
cudaError_t cudaPeekAtLastError(void) WARPDOJO_CALL("__cudaCDP2PeekAtLastError", "cudaPeekAtLastError");
const char* cudaGetErrorString(cudaError_t error) {
  const void* returns_to = __builtin_return_address(0);
  return reinterpret_cast<const char*>(
      WARPDOJO_ENTER("__cudaCDP2GetErrorString", "cudaGetErrorString", error));
}
const char* cudaGetErrorName(cudaError_t error) {
  const void* returns_to = __builtin_return_address(0);
  return reinterpret_cast<const char*>(WARPDOJO_ENTER("__cudaCDP2GetErrorName", "cudaGetErrorName", error));
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value)
    WARPDOJO_CALL("__dojo_FuncSetAttribute", "cudaFuncSetAttribute", kernel, attribute, value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* kernel)
    WARPDOJO_CALL("__cudaCDP2FuncGetAttributes", "cudaFuncGetAttributes", a, kernel);
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          size_t smem)
    WARPDOJO_CALL("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor",
                  "cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, kernel, threads, smem);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int threads, size_t smem, unsigned flags)
    WARPDOJO_CALL("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                  "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, kernel, threads, smem,
                  flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int threads)
    WARPDOJO_CALL("__dojo_OccupancyAvailableDynamicSMem", "cudaOccupancyAvailableDynamicSMemPerBlock", bytes,
                  kernel, blocks, threads);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config)
    WARPDOJO_CALL("__dojo_OccupancyMaxActiveClusters", "cudaOccupancyMaxActiveClusters", clusters, kernel,
                  config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel,
                                                 const cudaLaunchConfig_t* config)
    WARPDOJO_CALL("__dojo_OccupancyMaxPotentialClusterSize", "cudaOccupancyMaxPotentialClusterSize", size,
                  kernel, config);
cudaError_t cudaFuncGetName(const char** name, const void* kernel)
    WARPDOJO_CALL("__dojo_FuncGetName", "cudaFuncGetName", name, kernel);
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t i, size_t* offset, size_t* bytes)
    WARPDOJO_CALL("__dojo_FuncGetParamInfo", "cudaFuncGetParamInfo", kernel, i, offset, bytes);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// There is one device, which has no peers.
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return cudaError_t(dojo::exec::failed(cudaErrorPeerAccessUnsupported));
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return cudaError_t(dojo::exec::failed(cudaErrorPeerAccessNotEnabled));
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return cudaError_t(dojo::exec::failed(cudaErrorInvalidDevice));
}

}  // extern "C"
