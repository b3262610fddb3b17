// Memory: allocation, copies, fills, symbols.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

extern "C" {

cudaError_t cudaMalloc(void** p, size_t n) WARPDOJO_CALL("__cudaCDP2Malloc", "cudaMalloc", p, n);
cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t s)
    WARPDOJO_CALL("__dojo_MallocAsync", "cudaMallocAsync", p, n, s);
cudaError_t cudaMallocManaged(void** p, size_t n, unsigned)
    WARPDOJO_CALL("__dojo_MallocManaged", "cudaMallocManaged", p, n);
cudaError_t cudaMallocHost(void** p, size_t n) WARPDOJO_CALL("__dojo_HostAlloc", "cudaMallocHost", p, n);
cudaError_t cudaHostAlloc(void** p, size_t n, unsigned flags)
    WARPDOJO_CALL("__dojo_HostAlloc", "cudaHostAlloc", p, n, flags);
cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t width, size_t height)
    WARPDOJO_CALL("cudaMallocPitch", "cudaMallocPitch", p, pitch, width, height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent e) {
  const void* returns_to = __builtin_return_address(0);
  *p = {nullptr, 0, e.width, e.height};
  return cudaError_t(
      WARPDOJO_ENTER("cudaMallocPitch", "cudaMalloc3D", &p->ptr, &p->pitch, e.width, e.height * e.depth));
}
cudaError_t cudaFree(void* p) WARPDOJO_CALL("__cudaCDP2Free", "cudaFree", p);
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) WARPDOJO_CALL("cudaFreeAsync", "cudaFreeAsync", p, s);
cudaError_t cudaFreeHost(void* p) WARPDOJO_CALL("cudaFreeHost", "cudaFreeHost", p);
cudaError_t cudaHostRegister(void* p, size_t n, unsigned)
    WARPDOJO_CALL("cudaHostRegister", "cudaHostRegister", p, n);
cudaError_t cudaHostUnregister(void* p) WARPDOJO_CALL("cudaHostUnregister", "cudaHostUnregister", p);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned)
    WARPDOJO_CALL("__dojo_HostGetDevicePointer", "cudaHostGetDevicePointer", device, host);
cudaError_t cudaHostGetFlags(unsigned* flags, void* p)
    WARPDOJO_CALL("cudaHostGetFlags", "cudaHostGetFlags", flags, p);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p)
    WARPDOJO_CALL("cudaPointerGetAttributes", "cudaPointerGetAttributes", a, p);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total)
    WARPDOJO_CALL("cudaMemGetInfo", "cudaMemGetInfo", free, total);
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;  // where managed memory lies is not modelled
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }

cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpy", "cudaMemcpy", to, from, n, kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2MemcpyAsync", "cudaMemcpyAsync", to, from, n, kind, s);
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t n)
    WARPDOJO_CALL("cudaMemcpy", "cudaMemcpyPeer", to, from, n, cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t n, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2MemcpyAsync", "cudaMemcpyPeerAsync", to, from, n, cudaMemcpyDeviceToDevice, s);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpy2D", "cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2Memcpy2DAsync", "cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width,
                  height, kind, s);
cudaError_t cudaMemset(void* p, int value, size_t n) WARPDOJO_CALL("cudaMemset", "cudaMemset", p, value, n);
cudaError_t cudaMemsetAsync(void* p, int value, size_t n, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2MemsetAsync", "cudaMemsetAsync", p, value, n, s);
cudaError_t cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height)
    WARPDOJO_CALL("cudaMemset2D", "cudaMemset2D", p, pitch, value, width, height);
cudaError_t cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2Memset2DAsync", "cudaMemset2DAsync", p, pitch, value, width, height, s);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e)
    WARPDOJO_CALL("cudaMemset3D", "cudaMemset3D", p, value, e);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t s)
    WARPDOJO_CALL("__cudaCDP2Memset3DAsync", "cudaMemset3DAsync", p, value, e, s);

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t n, size_t offset,
                               cudaMemcpyKind kind)
    WARPDOJO_CALL("__dojo_MemcpySymbol", "cudaMemcpyToSymbol", symbol, from, n, offset, 1, kind,
                  cudaStream_t(nullptr), 0);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t n, size_t offset, cudaMemcpyKind kind)
    WARPDOJO_CALL("__dojo_MemcpySymbol", "cudaMemcpyFromSymbol", symbol, to, n, offset, 0, kind,
                  cudaStream_t(nullptr), 0);
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t n, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("__dojo_MemcpySymbol", "cudaMemcpyToSymbolAsync", symbol, from, n, offset, 1, kind, s, 1);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t n, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("__dojo_MemcpySymbol", "cudaMemcpyFromSymbolAsync", symbol, to, n, offset, 0, kind, s, 1);
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol)
    WARPDOJO_CALL("__dojo_GetSymbol", "cudaGetSymbolAddress", symbol, address, static_cast<size_t*>(nullptr));
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol)
    WARPDOJO_CALL("__dojo_GetSymbol", "cudaGetSymbolSize", symbol, static_cast<void**>(nullptr), bytes);
// One memory pool.
static cudaMemPool_t the_pool() { return reinterpret_cast<cudaMemPool_t>(uintptr_t(1)); }
static cudaError_t pool_of(int device) {
  return device == 0 ? cudaSuccess : cudaError_t(dojo::exec::failed(cudaErrorInvalidDevice));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  *pool = the_pool();
  return pool_of(device);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  *pool = the_pool();
  return pool_of(device);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t) { return pool_of(device); }
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  *pool = the_pool();
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
    WARPDOJO_CALL("cudaMemPoolTrimTo", "cudaMemPoolTrimTo", pool, bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value)
    WARPDOJO_CALL("cudaMemPoolSetAttribute", "cudaMemPoolSetAttribute", pool, attribute, value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value)
    WARPDOJO_CALL("cudaMemPoolGetAttribute", "cudaMemPoolGetAttribute", pool, attribute, value);
// The one device may always use the pool.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc* list, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != 0 ||
        list[i].flags != cudaMemAccessFlagsProtReadWrite)
      return cudaError_t(dojo::exec::failed(cudaErrorInvalidDevice));
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation* where) {
  const bool device = where->type == cudaMemLocationTypeDevice && where->id == 0;
  *flags = device ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** p, size_t n, cudaMemPool_t, cudaStream_t s)
    WARPDOJO_CALL("__dojo_MallocAsync", "cudaMallocFromPoolAsync", p, n, s);
}  // extern "C"
