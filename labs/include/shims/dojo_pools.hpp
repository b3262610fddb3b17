// Memory pools, peers and cache policies, as far as they can be set here without a change: there is one device, one
// pool that keeps nothing, and no modelled policy.
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
static inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
static inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
static inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) { return cudaSuccess; }
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** p, size_t size, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(p, size, stream);
}

static inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorPeerAccessUnsupported; }
static inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorPeerAccessNotEnabled; }
static inline cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return cudaErrorInvalidDevice;
}
static inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return cudaSuccess;
}
static inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

#endif
