// Arrays, textures and surfaces.
#include <cuda_runtime_api.h>

#include "exec/face.hpp"

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* a, const cudaChannelFormatDesc* d, size_t width, size_t height,
                            unsigned flags)
    WARPDOJO_CALL("cudaMallocArray", "cudaMallocArray", a, d, width, height, flags);
cudaError_t cudaMalloc3DArray(cudaArray_t* a, const cudaChannelFormatDesc* d, cudaExtent e, unsigned flags)
    WARPDOJO_CALL("cudaMalloc3DArray", "cudaMalloc3DArray", a, d, e, flags);
cudaError_t cudaFreeArray(cudaArray_t a) WARPDOJO_CALL("cudaFreeArray", "cudaFreeArray", a);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* d, cudaExtent* e, unsigned* flags, cudaArray_t a)
    WARPDOJO_CALL("cudaArrayGetInfo", "cudaArrayGetInfo", d, e, flags, a);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* d, cudaArray_const_t a)
    WARPDOJO_CALL("cudaGetChannelDesc", "cudaGetChannelDesc", d, a);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpy2DToArray", "cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("cudaMemcpy2DToArrayAsync", "cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, width,
                  height, kind, s);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpy2DFromArray", "cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height,
                  kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t s)
    WARPDOJO_CALL("cudaMemcpy2DFromArrayAsync", "cudaMemcpy2DFromArrayAsync", to, pitch, from, x, y, width,
                  height, kind, s);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t n,
                              cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpyToArray", "cudaMemcpyToArray", to, x, y, from, n, kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                cudaMemcpyKind kind)
    WARPDOJO_CALL("cudaMemcpyFromArray", "cudaMemcpyFromArray", to, from, x, y, n, kind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) WARPDOJO_CALL("cudaMemcpy3D", "cudaMemcpy3D", p);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t s)
    WARPDOJO_CALL("cudaMemcpy3DAsync", "cudaMemcpy3DAsync", p, s);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* a, const cudaChannelFormatDesc* d, cudaExtent e,
                                     unsigned levels, unsigned flags)
    WARPDOJO_CALL("cudaMallocMipmappedArray", "cudaMallocMipmappedArray", a, d, e, levels, flags);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t a, unsigned k)
    WARPDOJO_CALL("cudaGetMipmappedArrayLevel", "cudaGetMipmappedArrayLevel", level, a, k);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t a)
    WARPDOJO_CALL("cudaFreeMipmappedArray", "cudaFreeMipmappedArray", a);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* t, const cudaResourceDesc* r,
                                    const cudaTextureDesc* d, const cudaResourceViewDesc* view)
    WARPDOJO_CALL("cudaCreateTextureObject", "cudaCreateTextureObject", t, r, d, view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
    WARPDOJO_CALL("cudaDestroyTextureObject", "cudaDestroyTextureObject", t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* s, const cudaResourceDesc* r)
    WARPDOJO_CALL("cudaCreateSurfaceObject", "cudaCreateSurfaceObject", s, r);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s)
    WARPDOJO_CALL("cudaDestroySurfaceObject", "cudaDestroySurfaceObject", s);
}  // extern "C"
