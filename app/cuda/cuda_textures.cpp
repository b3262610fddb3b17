// Arrays, texture objects and surface objects of a real GPU, by its driver.
#include <cstring>

#include "cuda/cuda_textures.hpp"

namespace dojo::cuda {
namespace {

CUarray_format format_of(const TexelFormat& f) {
  switch (f.kind) {
    case TexelFormat::floating:
      return f.bits == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    case TexelFormat::signed_int:
      return f.bits == 8    ? CU_AD_FORMAT_SIGNED_INT8
             : f.bits == 16 ? CU_AD_FORMAT_SIGNED_INT16
                            : CU_AD_FORMAT_SIGNED_INT32;
    default:
      return f.bits == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
             : f.bits == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                            : CU_AD_FORMAT_UNSIGNED_INT32;
  }
}

CudaStatus status(CUresult r) { return {r == CUDA_SUCCESS ? 0 : runtime_code(r)}; }

CUarray array_of(uint64_t handle) { return reinterpret_cast<CUarray>(handle); }

}  // namespace

CudaStatus Textures::create_array(uint64_t* handle, const ArraySpec& s) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  d.Width = s.width, d.Height = s.height, d.Depth = s.depth;
  d.Format = format_of(s.format);
  d.NumChannels = s.format.components;
  d.Flags = (s.layered ? CUDA_ARRAY3D_LAYERED : 0) | (s.cube ? CUDA_ARRAY3D_CUBEMAP : 0) |
            (s.surface ? CUDA_ARRAY3D_SURFACE_LDST : 0) | (s.gather ? CUDA_ARRAY3D_TEXTURE_GATHER : 0);
  CUarray a = nullptr;
  const CUresult r = d_.cuArray3DCreate(&a, &d);
  *handle = reinterpret_cast<uint64_t>(a);
  return status(r);
}

CudaStatus Textures::free_array(uint64_t handle) {
  arrays_.push_back(handle);
  return {};
}

CudaStatus Textures::copy_array(const ArrayCopy& c) {
  CUDA_MEMCPY3D p{};
  CUDA_ARRAY3D_DESCRIPTOR d{};
  if (const CUresult r = d_.cuArray3DGetDescriptor(&d, array_of(c.array)); r != CUDA_SUCCESS)
    return status(r);
  const size_t texel =
      d.NumChannels * (d.Format == CU_AD_FORMAT_UNSIGNED_INT8 || d.Format == CU_AD_FORMAT_SIGNED_INT8 ? 1u
                       : d.Format == CU_AD_FORMAT_UNSIGNED_INT32 || d.Format == CU_AD_FORMAT_SIGNED_INT32 ||
                               d.Format == CU_AD_FORMAT_FLOAT
                           ? 4u
                           : 2u);
  std::byte* host = memory_.at(c.memory, 1);
  const auto array_side = [&](size_t& x, size_t& y, size_t& z, CUmemorytype& type, CUarray& array) {
    x = c.x * texel, y = c.y, z = c.z, type = CU_MEMORYTYPE_ARRAY, array = array_of(c.array);
  };
  if (c.to_array) {
    array_side(p.dstXInBytes, p.dstY, p.dstZ, p.dstMemoryType, p.dstArray);
    p.srcMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    p.srcHost = host, p.srcDevice = c.memory, p.srcPitch = c.pitch;
    p.srcHeight = c.pitch ? c.slice / c.pitch : 0;
  } else {
    array_side(p.srcXInBytes, p.srcY, p.srcZ, p.srcMemoryType, p.srcArray);
    p.dstMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    p.dstHost = host, p.dstDevice = c.memory, p.dstPitch = c.pitch;
    p.dstHeight = c.pitch ? c.slice / c.pitch : 0;
  }
  p.WidthInBytes = c.width_bytes, p.Height = c.rows, p.Depth = c.slices;
  return copy_(p, c, host != nullptr);
}

CudaStatus Textures::create_texture(uint64_t* handle, const TextureSource& s, const SamplerSpec& sampler) {
  CUDA_RESOURCE_DESC r{};
  if (s.kind == TextureSource::array) {
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = array_of(s.array_handle);
  } else if (s.kind == TextureSource::linear) {
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear.devPtr = s.address, r.res.linear.sizeInBytes = s.bytes;
    r.res.linear.format = format_of(s.format), r.res.linear.numChannels = s.format.components;
  } else {
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D.devPtr = s.address, r.res.pitch2D.pitchInBytes = s.pitch;
    r.res.pitch2D.width = s.width, r.res.pitch2D.height = s.height;
    r.res.pitch2D.format = format_of(s.format), r.res.pitch2D.numChannels = s.format.components;
  }
  CUDA_TEXTURE_DESC t{};
  for (int k = 0; k < 3; ++k) t.addressMode[k] = CUaddress_mode(sampler.address[k]);
  t.filterMode = sampler.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  const bool integers = s.format.kind != TexelFormat::floating && !sampler.to_float;
  t.flags =
      (sampler.normalised ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (integers ? CU_TRSF_READ_AS_INTEGER : 0);
  std::memcpy(t.borderColor, sampler.border_colour, sizeof sampler.border_colour);
  CUtexObject object = 0;
  const CUresult made = d_.cuTexObjectCreate(&object, &r, &t, nullptr);
  *handle = object;
  return status(made);
}

CudaStatus Textures::create_surface(uint64_t* handle, uint64_t array) {
  CUDA_RESOURCE_DESC r{};
  r.resType = CU_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = array_of(array);
  CUsurfObject object = 0;
  const CUresult made = d_.cuSurfObjectCreate(&object, &r);
  *handle = object;
  return status(made);
}

CudaStatus Textures::destroy_texture(uint64_t handle) {
  textures_.push_back(handle);
  return {};
}
CudaStatus Textures::destroy_surface(uint64_t handle) {
  surfaces_.push_back(handle);
  return {};
}

void Textures::release() {
  for (uint64_t t : textures_) d_.cuTexObjectDestroy(t);
  for (uint64_t s : surfaces_) d_.cuSurfObjectDestroy(s);
  for (uint64_t a : arrays_) d_.cuArrayDestroy(array_of(a));
  textures_.clear(), surfaces_.clear(), arrays_.clear();
}

}  // namespace dojo::cuda
