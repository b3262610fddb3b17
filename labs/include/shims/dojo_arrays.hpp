// Arrays, texture objects and surface objects of the CUDA runtime, for dojo_pre.hpp. The fetches (tex2D ...) are the
// compiler's own.
#pragma once

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  cudaChannelFormatDesc d;
  d.x = x, d.y = y, d.z = z, d.w = w, d.f = f;
  return d;
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

/// How many components a texel's type has, and of which type. No static members: they would be variables of each
/// module, and move the addresses of its buffers.
template <class _T> struct __dojo_texel {
  typedef _T component;
  enum { count = 1 };
};
#define DOJO_TEXEL(NAME, TYPE)                          \
  template <> struct __dojo_texel<NAME##1> {            \
    typedef TYPE component;                             \
    enum { count = 1 };                                \
  };                                                    \
  template <> struct __dojo_texel<NAME##2> {            \
    typedef TYPE component;                             \
    enum { count = 2 };                                \
  };                                                    \
  template <> struct __dojo_texel<NAME##4> {            \
    typedef TYPE component;                             \
    enum { count = 4 };                                \
  };
DOJO_TEXEL(char, signed char)
DOJO_TEXEL(uchar, unsigned char)
DOJO_TEXEL(short, short)
DOJO_TEXEL(ushort, unsigned short)
DOJO_TEXEL(int, int)
DOJO_TEXEL(uint, unsigned int)
DOJO_TEXEL(float, float)
#undef DOJO_TEXEL
template <class _T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename __dojo_texel<_T>::component _C;
  constexpr int n = __dojo_texel<_T>::count, bits = int(sizeof(_C)) * 8;
  constexpr bool floating = _C(0.5f) != _C(0), negative = _C(-1) < _C(0);
  return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                               floating   ? cudaChannelFormatKindFloat
                               : negative ? cudaChannelFormatKindSigned
                                          : cudaChannelFormatKindUnsigned);
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  cudaPitchedPtr s;
  s.ptr = d, s.pitch = p, s.xsize = xsz, s.ysize = ysz;
  return s;
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos p;
  p.x = x, p.y = y, p.z = z;
  return p;
}
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  cudaExtent e;
  e.width = w, e.height = h, e.depth = d;
  return e;
}

CUDARTAPI_DOJO cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc, size_t width,
                                           size_t height, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                                             struct cudaExtent extent, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaFreeArray(cudaArray_t array);
CUDARTAPI_DOJO cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                                    const struct cudaChannelFormatDesc* desc, struct cudaExtent extent,
                                                    unsigned int levels, unsigned int flags);
CUDARTAPI_DOJO cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                                      unsigned int k);
CUDARTAPI_DOJO cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
CUDARTAPI_DOJO cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* desc, struct cudaExtent* extent,
                                            unsigned int* flags, cudaArray_t array);
CUDARTAPI_DOJO cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, cudaArray_const_t array);
CUDARTAPI_DOJO cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                               size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                                    size_t spitch, size_t width, size_t height,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                                 size_t hOffset, size_t width, size_t height,
                                                 enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                                      size_t hOffset, size_t width, size_t height,
                                                      enum cudaMemcpyKind kind, cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                             size_t count, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                               size_t count, enum cudaMemcpyKind kind);
CUDARTAPI_DOJO cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p);
CUDARTAPI_DOJO cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t stream);
CUDARTAPI_DOJO cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const struct cudaResourceDesc* resource,
                                                   const struct cudaTextureDesc* description,
                                                   const struct cudaResourceViewDesc* view);
CUDARTAPI_DOJO cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
CUDARTAPI_DOJO cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const struct cudaResourceDesc* resource);
CUDARTAPI_DOJO cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

static inline cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc, size_t width,
                                          size_t height = 0) {
  return cudaMallocArray(array, desc, width, height, 0);
}
static inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                                            struct cudaExtent extent) {
  return cudaMalloc3DArray(array, desc, extent, 0);
}
static inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                                   const struct cudaChannelFormatDesc* desc, struct cudaExtent extent,
                                                   unsigned int levels) {
  return cudaMallocMipmappedArray(array, desc, extent, levels, 0);
}
static inline cudaError_t cudaMalloc3D(struct cudaPitchedPtr* p, struct cudaExtent e) {
  p->xsize = e.width, p->ysize = e.height;
  return cudaMallocPitch(&p->ptr, &p->pitch, e.width, e.height * e.depth);
}
CUDARTAPI_DOJO cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent e);
#ifdef __clang__  // the toolkit's header has it
#define DOJO_CDP(name) asm("__cudaCDP2" #name)
extern "C" __device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent e,
                                                    cudaStream_t stream) DOJO_CDP(Memset3DAsync);
#undef DOJO_CDP
#endif
static inline cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent e) {
  return cudaMemset3DAsync(p, value, e, 0);
}
static inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                                   size_t spitch, size_t width, size_t height,
                                                   enum cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, 0);
}
static inline cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                                     size_t hOffset, size_t width, size_t height,
                                                     enum cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, 0);
}
static inline cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p, 0); }
#ifdef __clang__
#include "dojo_textures.hpp"
#endif
