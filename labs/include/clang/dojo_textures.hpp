// Arrays, textures and surfaces for clang, from CUDA's public documentation: types first (dojo_runtime.hpp), fetches at
// the second reading (shims/dojo_arrays.hpp), when it is known what a texel's components are.
#ifndef DOJO_TEXTURE_TYPES
#define DOJO_TEXTURE_TYPES
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray* cudaMipmappedArray_const_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};
struct cudaResourceViewDesc;
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8

#else
/// A fetch's four words as a texel of type T.
template <class _T> static inline _T __dojo_texel_of(const unsigned int* word) {
  typedef typename __dojo_texel<_T>::component _C;
  union {
    _T texel;
    _C part[4];
  } u;
  for (int k = 0; k < __dojo_texel<_T>::count; ++k) {
    if constexpr (_C(0.5f) != _C(0))
      u.part[k] = __uint_as_float(word[k]);
    else
      u.part[k] = _C(word[k]);
  }
  return u.texel;
}
// Behind the coordinates: ", %7" of a level of detail, ", {%7, %8}, {%9, %10}" of gradients.
#define DOJO_TEX(OPCODE, TYPE, COORDINATES, ...)                                       \
  asm volatile(OPCODE ".v4." TYPE " {%0, %1, %2, %3}, [%4, {" COORDINATES ";"          \
               : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])                        \
               : "l"(t), __VA_ARGS__)
// Results are words of 32 bits whatever the type: a float comes as its bits.
#define DOJO_FETCH(NAME, PARAMETERS, OPCODE, FROM, COORDINATES, ...)                   \
  template <class _T> static inline _T NAME PARAMETERS {                                 \
    typedef typename __dojo_texel<_T>::component _C;                                     \
    unsigned int w[4];                                                                 \
    if constexpr (_C(0.5f) != _C(0))                                                     \
      DOJO_TEX(OPCODE, "f32." FROM, COORDINATES, __VA_ARGS__);                         \
    else if constexpr (_C(-1) < _C(0))                                                   \
      DOJO_TEX(OPCODE, "s32." FROM, COORDINATES, __VA_ARGS__);                         \
    else                                                                               \
      DOJO_TEX(OPCODE, "u32." FROM, COORDINATES, __VA_ARGS__);                         \
    return __dojo_texel_of<_T>(w);                                                      \
  }
DOJO_FETCH(tex1Dfetch, (cudaTextureObject_t t, int x), "tex.1d", "s32", "%5}]", "r"(x))
DOJO_FETCH(tex1D, (cudaTextureObject_t t, float x), "tex.1d", "f32", "%5}]", "f"(x))
DOJO_FETCH(tex2D, (cudaTextureObject_t t, float x, float y), "tex.2d", "f32", "%5, %6}]", "f"(x), "f"(y))
DOJO_FETCH(tex3D, (cudaTextureObject_t t, float x, float y, float z), "tex.3d", "f32", "%5, %6, %7, %7}]", "f"(x),
           "f"(y), "f"(z))
DOJO_FETCH(tex1DLayered, (cudaTextureObject_t t, float x, int layer), "tex.a1d", "f32", "%5, %6}]", "r"(layer), "f"(x))
DOJO_FETCH(tex2DLayered, (cudaTextureObject_t t, float x, float y, int layer), "tex.a2d", "f32", "%5, %6, %7, %7}]",
           "r"(layer), "f"(x), "f"(y))
DOJO_FETCH(texCubemap, (cudaTextureObject_t t, float x, float y, float z), "tex.cube", "f32", "%5, %6, %7, %7}]",
           "f"(x), "f"(y), "f"(z))
DOJO_FETCH(texCubemapLayered, (cudaTextureObject_t t, float x, float y, float z, int layer), "tex.acube", "f32",
           "%5, %6, %7, %8}]", "r"(layer), "f"(x), "f"(y), "f"(z))
DOJO_FETCH(tex1DLod, (cudaTextureObject_t t, float x, float level), "tex.level.1d", "f32", "%5}], %6", "f"(x),
           "f"(level))
DOJO_FETCH(tex2DLod, (cudaTextureObject_t t, float x, float y, float level), "tex.level.2d", "f32", "%5, %6}], %7",
           "f"(x), "f"(y), "f"(level))
DOJO_FETCH(tex3DLod, (cudaTextureObject_t t, float x, float y, float z, float level), "tex.level.3d", "f32",
           "%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
DOJO_FETCH(tex2DLayeredLod, (cudaTextureObject_t t, float x, float y, int layer, float level), "tex.level.a2d", "f32",
           "%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y), "f"(level))
DOJO_FETCH(texCubemapLod, (cudaTextureObject_t t, float x, float y, float z, float level), "tex.level.cube", "f32",
           "%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
DOJO_FETCH(tex1DGrad, (cudaTextureObject_t t, float x, float dx, float dy), "tex.grad.1d", "f32",
           "%5}], {%6}, {%7}", "f"(x), "f"(dx), "f"(dy))
DOJO_FETCH(tex2DGrad, (cudaTextureObject_t t, float x, float y, float2 dx, float2 dy), "tex.grad.2d", "f32",
           "%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
DOJO_FETCH(tex3DGrad, (cudaTextureObject_t t, float x, float y, float z, float4 dx, float4 dy), "tex.grad.3d", "f32",
           "%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y),
           "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
#undef DOJO_FETCH
#undef DOJO_TEX

/// Bytes of a texel by their number: one word of 8, 16 or 32 bits, or two or four of 32.
template <int bytes> struct __dojo_surface;
#define DOJO_MODES(CALL)                          \
  if (m == cudaBoundaryModeTrap) CALL("trap");    \
  if (m == cudaBoundaryModeClamp) CALL("clamp");  \
  if (m == cudaBoundaryModeZero) CALL("zero");
#define DOJO_SURFACE(BYTES, WORD, N, TYPE, READ, WRITE)                                                       \
  template <> struct __dojo_surface<BYTES> {                                                                  \
    typedef WORD Word;                                                                                        \
    static inline void read(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode m, WORD* w) {        \
      DOJO_MODES(READ)                                                                                        \
    }                                                                                                         \
    static inline void write(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode m, const WORD* w) { \
      DOJO_MODES(WRITE)                                                                                       \
    }                                                                                                         \
  };
#define DOJO_READ_8(M) asm volatile("suld.b.2d.b8." M " {%0}, [%1, {%2, %3}];" : "=h"(*w) : "l"(s), "r"(x), "r"(y))
#define DOJO_READ_16(M) asm volatile("suld.b.2d.b16." M " {%0}, [%1, {%2, %3}];" : "=h"(*w) : "l"(s), "r"(x), "r"(y))
#define DOJO_READ_32(M) asm volatile("suld.b.2d.b32." M " {%0}, [%1, {%2, %3}];" : "=r"(*w) : "l"(s), "r"(x), "r"(y))
#define DOJO_READ_64(M)                                                    \
  asm volatile("suld.b.2d.v2.b32." M " {%0, %1}, [%2, {%3, %4}];" : "=r"(w[0]), "=r"(w[1]) : "l"(s), "r"(x), "r"(y))
#define DOJO_READ_128(M)                                                   \
  asm volatile("suld.b.2d.v4.b32." M " {%0, %1, %2, %3}, [%4, {%5, %6}];"  \
               : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])            \
               : "l"(s), "r"(x), "r"(y))
#define DOJO_WRITE_8(M) asm volatile("sust.b.2d.b8." M " [%0, {%1, %2}], {%3};" ::"l"(s), "r"(x), "r"(y), "h"(*w))
#define DOJO_WRITE_16(M) asm volatile("sust.b.2d.b16." M " [%0, {%1, %2}], {%3};" ::"l"(s), "r"(x), "r"(y), "h"(*w))
#define DOJO_WRITE_32(M) asm volatile("sust.b.2d.b32." M " [%0, {%1, %2}], {%3};" ::"l"(s), "r"(x), "r"(y), "r"(*w))
#define DOJO_WRITE_64(M) \
  asm volatile("sust.b.2d.v2.b32." M " [%0, {%1, %2}], {%3, %4};" ::"l"(s), "r"(x), "r"(y), "r"(w[0]), "r"(w[1]))
#define DOJO_WRITE_128(M)                                                                                           \
  asm volatile("sust.b.2d.v4.b32." M " [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(x), "r"(y), "r"(w[0]), "r"(w[1]), \
               "r"(w[2]), "r"(w[3]))
DOJO_SURFACE(1, unsigned short, 1, "b8", DOJO_READ_8, DOJO_WRITE_8)
DOJO_SURFACE(2, unsigned short, 1, "b16", DOJO_READ_16, DOJO_WRITE_16)
DOJO_SURFACE(4, unsigned int, 1, "b32", DOJO_READ_32, DOJO_WRITE_32)
DOJO_SURFACE(8, unsigned int, 2, "v2.b32", DOJO_READ_64, DOJO_WRITE_64)
DOJO_SURFACE(16, unsigned int, 4, "v4.b32", DOJO_READ_128, DOJO_WRITE_128)
#undef DOJO_SURFACE
#undef DOJO_MODES
template <class _T>
static inline _T surf2Dread(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap) {
  union {
    _T texel;
    typename __dojo_surface<int(sizeof(_T))>::Word word[4];
  } u;
  __dojo_surface<int(sizeof(_T))>::read(s, x, y, m, u.word);
  return u.texel;
}
template <class _T>
static inline void surf2Dread(_T* to, cudaSurfaceObject_t s, int x, int y,
                              cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap) {
  *to = surf2Dread<_T>(s, x, y, m);
}
template <class _T>
static inline void surf2Dwrite(_T v, cudaSurfaceObject_t s, int x, int y,
                               cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap) {
  union {
    _T texel;
    typename __dojo_surface<int(sizeof(_T))>::Word word[4];
  } u;
  u.word[0] = 0;
  u.texel = v;
  __dojo_surface<int(sizeof(_T))>::write(s, x, y, m, u.word);
}
#endif
