// Arrays, texture objects and surface objects of the CUDA runtime. On the SIMT machine an object is a
// description in its memory (simt/textures/image.hpp); on a real GPU its driver makes it (TextureDriver).
#include <driver_types.h>
#include <fmt/format.h>

#include <array>

#include "core/text/numbers.hpp"
#include "host/arrays.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "simt/textures/image.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

cudaChannelFormatDesc description(const TexelFormat& f) {
  cudaChannelFormatDesc d{};
  int* const bits[] = {&d.x, &d.y, &d.z, &d.w};
  for (int k = 0; k < f.components; ++k) *bits[k] = f.bits;
  d.f = f.kind == TexelFormat::floating     ? cudaChannelFormatKindFloat
        : f.kind == TexelFormat::signed_int ? cudaChannelFormatKindSigned
                                            : cudaChannelFormatKindUnsigned;
  return d;
}

/// The largest array of a kind. CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability", 6.0 and later; an array for surfaces keeps to the bounds of both.
ArraySpec largest(const ArraySpec& kind) {
  ArraySpec most;
  if (kind.cube || kind.layered) {
    most.width = most.height = 32768;
    most.depth = kind.cube ? 2046 : 2048;
  } else if (kind.depth) {
    most.width = most.height = most.depth = 16384;
  } else if (kind.height) {
    most.width = kind.gather ? 32768 : 131072;
    most.height = kind.gather ? 32768 : 65536;
  } else {
    most.width = kind.surface ? 32768 : 131072;
  }
  return most;
}

/// Why an array can't be made, or nothing.
Refusal complete(Call& c, uint64_t format, uint32_t flags, ArraySpec& spec) {
  if (flags & cudaArraySparse) return {not_supported, "sparse arrays do not exist here"};
  spec.layered = flags & cudaArrayLayered, spec.cube = flags & cudaArrayCubemap;
  const bool faces = spec.layered ? spec.depth && spec.depth % 6 == 0 : spec.depth == 6;
  if (spec.cube && (spec.width != spec.height || !faces))
    return {
        invalid_value,
        "a cube map has six square faces: width and height are equal, and the depth is 6, or 6 per layer"};
  spec.surface = flags & cudaArraySurfaceLoadStore;
  spec.gather = flags & cudaArrayTextureGather;
  const std::string wrong = texel_format(c.load<cudaChannelFormatDesc>(format), &spec.format);
  if (!wrong.empty()) return {invalid_value, wrong};
  if (!spec.width) return {invalid_value, "an array needs a width"};
  const ArraySpec most = largest(spec);
  if (spec.width > most.width || spec.height > most.height || spec.depth > most.depth) {
    std::string extents = grouped(double(most.width));
    if (spec.height) extents += " x " + grouped(double(most.height));
    if (spec.depth) extents += " x " + grouped(double(most.depth));
    return {invalid_value, "the largest array of this kind has " + extents + " texels" +
                               (spec.layered ? ", the last of them layers" : "")};
  }
  return {};
}

void make_array(Call& c, uint64_t to, uint64_t format, const ArraySpec& extent, uint32_t flags) {
  uint64_t handle = 0;
  if (!new_array(c, format, extent, flags, &handle)) return;
  c.store<uint64_t>(to, handle);
  c.status(0);
}

void free_array(Call& c) {
  const uint64_t handle = c.ptr(0);
  if (!handle) return c.status(0);
  for (const auto& [mipmap, levels] : c.rt.arrays().mipmaps)
    if (std::find(levels.begin(), levels.end(), handle) != levels.end())
      return refuse_array(c, invalid_value,
                          "this is a level of a mipmapped array, and freed with it: cudaFreeMipmappedArray");
  if (array_of(c, handle)) c.status(free_array(c, handle));
}

/// The images of a mipmapped array's levels from the second on, each of which names the next.
/// Returns the handle of the first of them, 0 if there is no memory left.
uint64_t place_levels(Call& c, const std::vector<uint64_t>& levels, const SamplerSpec& sampler) {
  uint64_t next = 0;
  for (size_t k = levels.size() - 1; k > 0; --k) {
    const Array& a = c.rt.arrays().arrays.at(levels[k]);
    simt::Image i = simt::image_of(a.spec, a.data);
    i.kind = simt::Image::texture;
    i.sampler = sampler;
    i.levels = uint32_t(levels.size() - k);
    i.next_level = next;
    next = simt::place_image(c.rt.memory(), i, "a level of " + c.rt.name_at(c.where.line, "the texture"),
                             c.where);
    if (!next) return 0;
  }
  return next;
}

/// The levels of a texture's mipmapped array, or null with the call's status.
const std::vector<uint64_t>* levels_of(Call& c, const cudaResourceDesc& r, const cudaTextureDesc& d) {
  const auto found = c.rt.arrays().mipmaps.find(reinterpret_cast<uint64_t>(r.res.mipmap.mipmap));
  if (found == c.rt.arrays().mipmaps.end())
    refuse_array(c, invalid_resource_handle,
                 "res.mipmap.mipmap is no mipmapped array: cudaMallocMipmappedArray makes them");
  else if (!d.normalizedCoords)
    refuse_array(c, invalid_value,
                 "a mipmapped texture needs normalizedCoords = 1: its levels have other extents");
  else if (d.maxAnisotropy > 1)
    refuse_array(c, not_supported, "anisotropic filters do not exist here: maxAnisotropy must be 0 or 1");
  else
    return &found->second;
  return nullptr;
}

void create_texture(Call& c) {
  const auto resource = c.load<cudaResourceDesc>(c.ptr(1));
  const auto d = c.load<cudaTextureDesc>(c.ptr(2));
  if (c.ptr(3)) return refuse_array(c, not_supported, "resource views do not exist here: pass NULL");
  TextureSource source;
  SamplerSpec sampler;
  const Array* array = nullptr;
  const std::vector<uint64_t>* levels = nullptr;
  if (resource.resType == cudaResourceTypeMipmappedArray && !(levels = levels_of(c, resource, d))) return;
  if (levels || resource.resType == cudaResourceTypeArray) {
    source.array_handle = levels ? levels->front() : reinterpret_cast<uint64_t>(resource.res.array.array);
    if (array = array_of(c, source.array_handle); !array) return;
    source.format = array->spec.format;
  } else if (const Refusal no = memory_source(c, resource, &source); no.code) {
    return refuse_array(c, no.code, no.why);
  }
  if (const Refusal no = sampler_of(d, source, &sampler); no.code) return refuse_array(c, no.code, no.why);
  uint64_t handle = 0;
  if (TextureDriver* driver = c.rt.device().texture_driver()) {
    const CudaStatus s = driver->create_texture(&handle, source, sampler);
    if (!s.ok()) return c.status(s);
  } else {
    simt::Image i = array ? simt::image_of(array->spec, array->data) : simt::image_of(source);
    i.kind = simt::Image::texture;
    i.sampler = sampler;
    if (levels && levels->size() > 1) {
      i.levels = uint32_t(levels->size());
      if (i.next_level = place_levels(c, *levels, sampler); !i.next_level) return c.status(memory_allocation);
    }
    handle = simt::place_image(c.rt.memory(), i, c.rt.name_at(c.where.line, "the texture"), c.where);
    if (!handle) return c.status(memory_allocation);
  }
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

void create_surface(Call& c) {
  const auto resource = c.load<cudaResourceDesc>(c.ptr(1));
  if (resource.resType != cudaResourceTypeArray)
    return refuse_array(c, invalid_value, "a surface needs an array: resType = cudaResourceTypeArray");
  const uint64_t array = reinterpret_cast<uint64_t>(resource.res.array.array);
  const Array* a = array_of(c, array);
  if (!a) return;
  if (!a->spec.surface)
    c.rt.report(
        c, Severity::warning, FindingKind::host_error,
        "cudaCreateSurfaceObject: the array was made without cudaArraySurfaceLoadStore, which CUDA asks "
        "for. An H100 takes it; give cudaMallocArray that flag");
  uint64_t handle = 0;
  if (TextureDriver* driver = c.rt.device().texture_driver()) {
    const CudaStatus s = driver->create_surface(&handle, array);
    if (!s.ok()) return c.status(s);
  } else {
    simt::Image i = simt::image_of(a->spec, a->data);
    i.kind = simt::Image::surface;
    handle = simt::place_image(c.rt.memory(), i, c.rt.name_at(c.where.line, "the surface"), c.where);
    if (!handle) return c.status(memory_allocation);
  }
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

void destroy(Call& c, simt::Image::Kind kind) {
  const uint64_t handle = c.ptr(0);
  if (TextureDriver* driver = c.rt.device().texture_driver())
    return c.status(kind == simt::Image::texture ? driver->destroy_texture(handle)
                                                 : driver->destroy_surface(handle));
  if (!handle) return c.status(0);
  Region* region = nullptr;
  const simt::Image* i = simt::image_at(c.rt.memory(), handle, &region);
  if (!i || i->kind != kind || region->freed)
    return refuse_array(c, invalid_resource_handle,
                        region && region->freed ? region->name + " was destroyed before" : "no such object");
  c.rt.device().synchronize();  // what is queued may use it
  for (uint64_t at = handle; at;) {
    Region* of_level = nullptr;
    const simt::Image* level = simt::image_at(c.rt.memory(), at, &of_level);
    const uint64_t next = level ? level->next_level : 0;
    c.rt.memory().release(at, c.where);
    at = next;
  }
  c.status(0);
}

void array_info(Call& c) {
  const Array* a = array_of(c, c.ptr(3));
  if (!a) return;
  const ArraySpec& s = a->spec;
  if (c.ptr(0)) c.store(c.ptr(0), description(s.format));
  if (c.ptr(1)) c.store(c.ptr(1), cudaExtent{s.width, s.height, s.depth});
  if (c.ptr(2))
    c.store<uint32_t>(c.ptr(2), uint32_t(s.layered ? cudaArrayLayered : 0) |
                                    uint32_t(s.cube ? cudaArrayCubemap : 0) |
                                    uint32_t(s.surface ? cudaArraySurfaceLoadStore : 0) |
                                    uint32_t(s.gather ? cudaArrayTextureGather : 0));
  c.status(0);
}

const Entry arrays_entries[] = {
    {"cudaMallocArray",
     [](Call& c) {
       ArraySpec s;
       s.width = c.ptr(2), s.height = c.ptr(3);
       make_array(c, c.ptr(0), c.ptr(1), s, c.arg<uint32_t>(4));
     }},
    {"cudaMalloc3DArray",
     [](Call& c) {
       const auto e = c.arg<cudaExtent>(2);
       ArraySpec s;
       s.width = e.width, s.height = e.height, s.depth = e.depth;
       make_array(c, c.ptr(0), c.ptr(1), s, c.arg<uint32_t>(3));
     }},
    {"cudaFreeArray", free_array},
    {"cudaArrayGetInfo", array_info},
    {"cudaGetChannelDesc",
     [](Call& c) {
       if (const Array* a = array_of(c, c.ptr(1))) {
         c.store(c.ptr(0), description(a->spec.format));
         c.status(0);
       }
     }},
    {"cudaCreateTextureObject", create_texture},
    {"cudaDestroyTextureObject", [](Call& c) { destroy(c, simt::Image::texture); }},
    {"cudaCreateSurfaceObject", create_surface},
    {"cudaDestroySurfaceObject", [](Call& c) { destroy(c, simt::Image::surface); }},
};

}  // namespace

bool new_array(Call& c, uint64_t format, const ArraySpec& extent, uint32_t flags, uint64_t* handle) {
  ArraySpec spec = extent;
  const auto failed = [&](CudaStatus s) {
    c.status(s);
    return false;
  };
  if (const Refusal no = complete(c, format, flags, spec); no.code) {
    refuse_array(c, no.code, no.why);
    return false;
  }
  if (TextureDriver* driver = c.rt.device().texture_driver()) {
    if (const CudaStatus s = driver->create_array(handle, spec); !s.ok()) return failed(s);
    c.rt.arrays().arrays[*handle] = {spec, 0};
    return true;
  }
  uint64_t data = 0;
  if (const CudaStatus s = c.rt.allocate(c, &data, simt::array_bytes(spec), Owner::device); !s.ok())
    return failed(s);
  *handle = simt::place_image(c.rt.memory(), simt::image_of(spec, data),
                              c.rt.name_at(c.where.line, "the array"), c.where);
  if (!*handle) return failed({memory_allocation});
  c.rt.arrays().arrays[*handle] = {spec, data};
  return true;
}

CudaStatus free_array(Call& c, uint64_t handle) {
  const uint64_t data = c.rt.arrays().arrays.at(handle).data;
  c.rt.arrays().arrays.erase(handle);
  if (TextureDriver* driver = c.rt.device().texture_driver()) return driver->free_array(handle);
  const CudaStatus s = c.rt.device().release(data, c.where);
  c.rt.memory().release(handle, c.where);
  return s;
}

std::span<const Entry> array_calls() { return arrays_entries; }

}  // namespace dojo::host
