// Memory pools, peers, cache policies and names of devices: there is one device, one pool, and no modelled policy.
#pragma once
#if defined(__CUDACC_RTC__) && !defined(__clang__)

static inline cudaMemPool_t __dojo_pool() { return reinterpret_cast<cudaMemPool_t>(size_t(1)); }
static inline cudaError_t __dojo_of_device_0(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
static inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  *pool = __dojo_pool();
  return __dojo_of_device_0(device);
}
static inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  *pool = __dojo_pool();
  return __dojo_of_device_0(device);
}
static inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t) { return __dojo_of_device_0(device); }
static inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  *pool = __dojo_pool();
  return cudaSuccess;
}
static inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
CUDARTAPI_DOJO cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
CUDARTAPI_DOJO cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void* value);
CUDARTAPI_DOJO cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void* value);
static inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation* where) {
  const bool device = where->type == cudaMemLocationTypeDevice && where->id == 0;
  *flags = device ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}
static inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) { return cudaSuccess; }
template <class _T>
static inline cudaError_t cudaMallocFromPoolAsync(_T** p, size_t size, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(p, size, stream);
}

static inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorPeerAccessUnsupported; }
static inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorPeerAccessNotEnabled; }
static inline cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return cudaErrorInvalidDevice;
}
CUDARTAPI_DOJO cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
                                                  const cudaStreamAttrValue* value);
CUDARTAPI_DOJO cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
                                                  cudaStreamAttrValue* value);
static inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
static inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

// The one device, by its bus and by its properties.
static inline cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  const char own[] = "0000:00:00.0";
  if (!id || length < int(sizeof own)) return cudaErrorInvalidValue;
  memcpy(id, own, sizeof own);
  return __dojo_of_device_0(device);
}
static inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
static inline cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  *flags = cudaDeviceMapHost;  // as an H200 answers where nothing was set
  return cudaSuccess;
}

// There is no driver API: no name of it is known.
static inline cudaError_t cudaGetDriverEntryPoint(const char*, void** function, unsigned long long,
                                                  cudaDriverEntryPointQueryResult* result = 0) {
  if (!function) return cudaErrorInvalidValue;
  *function = 0;
  if (result) *result = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
static inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int,
                                                           unsigned long long flags,
                                                           cudaDriverEntryPointQueryResult* result = 0) {
  return cudaGetDriverEntryPoint(name, function, flags, result);
}

#endif
