// The driver API: arrays, and objects of textures and surfaces, by the runtime's calls. A handle of an array
// is the runtime's. The driver counts bytes along a row where the runtime counts texels.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "exec/face_driver.hpp"

using dojo::exec::driver_error;

namespace {

cudaArray_t runtime_array(CUarray a) { return reinterpret_cast<cudaArray_t>(a); }

/// Bits of a component and its kind; false: a format that the machine has not.
bool channels(CUarray_format format, unsigned components, cudaChannelFormatDesc* d) {
  struct Format {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
  };
  static const Format all[] = {
      {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
      {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
  };
  *d = {};
  for (const Format& f : all)
    if (f.format == format && components >= 1 && components <= 4) {
      int* const bits[] = {&d->x, &d->y, &d->z, &d->w};
      for (unsigned k = 0; k < components; ++k) *bits[k] = f.bits;
      d->f = f.kind;
      return true;
    }
  return false;
}

unsigned components_of(const cudaChannelFormatDesc& d) { return 1u + (d.y > 0) + (d.z > 0) + (d.w > 0); }

CUarray_format format_of(const cudaChannelFormatDesc& d) {
  if (d.f == cudaChannelFormatKindFloat) return d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int signs =
      d.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return CUarray_format(signs + (d.x == 8 ? 0 : d.x == 16 ? 1 : 2));  // 8, 16 and 32 bits follow each other
}

CUresult describe(CUarray a, CUDA_ARRAY3D_DESCRIPTOR* to) {
  cudaChannelFormatDesc d;
  cudaExtent e;
  unsigned flags = 0;
  const CUresult r = driver_error(cudaArrayGetInfo(&d, &e, &flags, runtime_array(a)));
  if (r == CUDA_SUCCESS) *to = {e.width, e.height, e.depth, format_of(d), components_of(d), flags};
  return r;
}

/// One side of a copy, as the driver gives it.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x_bytes, y, z, pitch, height;
};

/// Fills one side of the runtime's parameters; `texel`: set to the array's bytes per texel.
CUresult put(const Side& s, cudaArray_t* array, cudaPitchedPtr* memory, cudaPos* at, size_t* texel) {
  if (s.type == CU_MEMORYTYPE_ARRAY) {
    cudaChannelFormatDesc d;
    const auto r = driver_error(cudaArrayGetInfo(&d, nullptr, nullptr, runtime_array(s.array)));
    if (r != CUDA_SUCCESS) return r;
    *texel = size_t(d.x + d.y + d.z + d.w) / 8;
    *array = runtime_array(s.array);
    *at = {s.x_bytes / *texel, s.y, s.z};
    return CUDA_SUCCESS;
  }
  void* base = s.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(s.host) : reinterpret_cast<void*>(s.device);
  *memory = {base, s.pitch, s.pitch, s.height};
  *at = {s.x_bytes, s.y, s.z};
  return CUDA_SUCCESS;
}

CUresult copy(Side to, Side from, size_t width_bytes, size_t rows, size_t slices, const CUstream* stream) {
  for (Side* s : {&to, &from}) {
    if (!s->pitch) s->pitch = width_bytes;
    if (!s->height) s->height = rows;
  }
  cudaMemcpy3DParms p{};
  size_t texel = 1;
  if (const CUresult r = put(to, &p.dstArray, &p.dstPtr, &p.dstPos, &texel); r != CUDA_SUCCESS) return r;
  if (const CUresult r = put(from, &p.srcArray, &p.srcPtr, &p.srcPos, &texel); r != CUDA_SUCCESS) return r;
  p.extent = {width_bytes / texel, rows, slices};
  p.kind = cudaMemcpyDefault;
  return driver_error(stream ? cudaMemcpy3DAsync(&p, *stream) : cudaMemcpy3D(&p));
}

template <class C>  // CUDA_MEMCPY2D, CUDA_MEMCPY3D
Side to_side(const C& c, size_t z = 0, size_t height = 0) {
  return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, z, c.dstPitch, height};
}
template <class C>
Side from_side(const C& c, size_t z = 0, size_t height = 0) {
  return {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, z, c.srcPitch, height};
}

Side row(CUarray array, size_t offset) {
  return {CU_MEMORYTYPE_ARRAY, nullptr, 0, array, offset, 0, 0, 0, 0};
}
Side row(CUdeviceptr device) { return {CU_MEMORYTYPE_DEVICE, nullptr, device, nullptr, 0, 0, 0, 0, 0}; }
Side row(const void* host) { return {CU_MEMORYTYPE_HOST, host, 0, nullptr, 0, 0, 0, 0, 0}; }

/// The runtime's description of what an object reads; false: not here.
bool resource_of(const CUDA_RESOURCE_DESC& from, cudaResourceDesc* to) {
  *to = {};
  if (from.resType == CU_RESOURCE_TYPE_ARRAY) {
    to->resType = cudaResourceTypeArray;
    to->res.array.array = runtime_array(from.res.array.hArray);
    return true;
  }
  if (from.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& l = from.res.linear;
    to->resType = cudaResourceTypeLinear;
    to->res.linear.devPtr = reinterpret_cast<void*>(l.devPtr);
    to->res.linear.sizeInBytes = l.sizeInBytes;
    return channels(l.format, l.numChannels, &to->res.linear.desc);
  }
  if (from.resType == CU_RESOURCE_TYPE_PITCH2D) {
    const auto& p = from.res.pitch2D;
    to->resType = cudaResourceTypePitch2D;
    auto& plane = to->res.pitch2D;
    plane.devPtr = reinterpret_cast<void*>(p.devPtr);
    plane.width = p.width, plane.height = p.height, plane.pitchInBytes = p.pitchInBytes;
    return channels(p.format, p.numChannels, &plane.desc);
  }
  return false;
}

/// Does the object read integers of 8 or 16 bits? Those alone can be read as floats.
bool narrow_integers(const cudaResourceDesc& r) {
  cudaChannelFormatDesc d = r.resType == cudaResourceTypeLinear ? r.res.linear.desc : r.res.pitch2D.desc;
  if (r.resType == cudaResourceTypeArray) cudaArrayGetInfo(&d, nullptr, nullptr, r.res.array.array);
  return d.f != cudaChannelFormatKindFloat && d.x < 32;
}

cudaTextureDesc sampling_of(const CUDA_TEXTURE_DESC& from, bool narrow) {
  cudaTextureDesc to{};
  for (int k = 0; k < 3; ++k) to.addressMode[k] = cudaTextureAddressMode(from.addressMode[k]);
  to.filterMode = cudaTextureFilterMode(from.filterMode);
  to.readMode = narrow && !(from.flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                                  : cudaReadModeElementType;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  for (int k = 0; k < 4; ++k) to.borderColor[k] = from.borderColor[k];
  return to;
}

}  // namespace

extern "C" {

CUresult cuArray3DCreate(CUarray* a, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  cudaChannelFormatDesc format;
  if (!channels(d->Format, d->NumChannels, &format)) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_error(cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(a), &format,
                                        {d->Width, d->Height, d->Depth}, d->Flags));
}
CUresult cuArrayCreate(CUarray* a, const CUDA_ARRAY_DESCRIPTOR* d) {
  const CUDA_ARRAY3D_DESCRIPTOR whole{d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate(a, &whole);
}
CUresult cuArrayDestroy(CUarray a) { return driver_error(cudaFreeArray(runtime_array(a))); }
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* d, CUarray a) { return describe(a, d); }
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* d, CUarray a) {
  CUDA_ARRAY3D_DESCRIPTOR whole;
  const CUresult r = describe(a, &whole);
  if (r == CUDA_SUCCESS) *d = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return r;
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) {
  return copy(to_side(*c), from_side(*c), c->WidthInBytes, c->Height, 1, nullptr);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return cuMemcpy2D(c); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream s) {
  return copy(to_side(*c), from_side(*c), c->WidthInBytes, c->Height, 1, &s);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) {
  return copy(to_side(*c, c->dstZ, c->dstHeight), from_side(*c, c->srcZ, c->srcHeight), c->WidthInBytes,
              c->Height, c->Depth, nullptr);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream s) {
  return copy(to_side(*c, c->dstZ, c->dstHeight), from_side(*c, c->srcZ, c->srcHeight), c->WidthInBytes,
              c->Height, c->Depth, &s);
}
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t n) {
  return copy(row(to, offset), row(from), n, 1, 1, nullptr);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t n) {
  return copy(row(to), row(from, offset), n, 1, 1, nullptr);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t n) {
  return copy(row(to, offset), row(from), n, 1, 1, nullptr);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t n) {
  return copy(row(to), row(from, offset), n, 1, 1, nullptr);
}

CUresult cuTexObjectCreate(CUtexObject* t, const CUDA_RESOURCE_DESC* r, const CUDA_TEXTURE_DESC* d,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  cudaResourceDesc resource;
  if (view || !resource_of(*r, &resource)) return CUDA_ERROR_NOT_SUPPORTED;
  const cudaTextureDesc sampling = sampling_of(*d, narrow_integers(resource));
  return driver_error(cudaCreateTextureObject(t, &resource, &sampling, nullptr));
}
CUresult cuTexObjectDestroy(CUtexObject t) { return driver_error(cudaDestroyTextureObject(t)); }
CUresult cuSurfObjectCreate(CUsurfObject* s, const CUDA_RESOURCE_DESC* r) {
  cudaResourceDesc resource;
  if (!resource_of(*r, &resource)) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_error(cudaCreateSurfaceObject(s, &resource));
}
CUresult cuSurfObjectDestroy(CUsurfObject s) { return driver_error(cudaDestroySurfaceObject(s)); }

// Graphs by capture: the runtime's modes and handles are the driver's.
CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode)
    WARPDOJO_DRIVER_CALL("cudaStreamBeginCapture", "cuStreamBeginCapture", s, int(mode));
CUresult cuStreamEndCapture(CUstream s, CUgraph* graph)
    WARPDOJO_DRIVER_CALL("cudaStreamEndCapture", "cuStreamEndCapture", s, graph);
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus* status)
    WARPDOJO_DRIVER_CALL("cudaStreamIsCapturing", "cuStreamIsCapturing", s, status);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long)
    WARPDOJO_DRIVER_CALL("__dojo_GraphInstantiate", "cuGraphInstantiate", exec, graph);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s)
    WARPDOJO_DRIVER_CALL("cudaGraphLaunch", "cuGraphLaunch", exec, s);
CUresult cuGraphUpload(CUgraphExec exec, CUstream s)
    WARPDOJO_DRIVER_CALL("cudaGraphUpload", "cuGraphUpload", exec, s);
CUresult cuGraphDestroy(CUgraph graph) WARPDOJO_DRIVER_CALL("cudaGraphDestroy", "cuGraphDestroy", graph);
CUresult cuGraphExecDestroy(CUgraphExec exec)
    WARPDOJO_DRIVER_CALL("cudaGraphExecDestroy", "cuGraphExecDestroy", exec);
}  // extern "C"
