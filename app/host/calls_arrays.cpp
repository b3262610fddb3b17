// Arrays, texture objects and surface objects of the CUDA runtime. On the SIMT machine an object is a
// description in its memory (simt/textures/image.hpp); on a real GPU its driver makes it (TextureDriver).
#include <driver_types.h>
#include <fmt/format.h>

#include <array>

#include "host/arrays.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "simt/textures/image.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

/// Reports what is wrong with a description and sets the call's status.
void refuse(Call& c, int code, const std::string& why) {
  c.rt.report(c, Severity::error, "host_error", c.callee.demangled + ": " + why);
  c.status(code);
}

cudaChannelFormatDesc description(const TexelFormat& f) {
  cudaChannelFormatDesc d{};
  int* const bits[] = {&d.x, &d.y, &d.z, &d.w};
  for (int k = 0; k < f.components; ++k) *bits[k] = f.bits;
  d.f = f.kind == TexelFormat::floating     ? cudaChannelFormatKindFloat
        : f.kind == TexelFormat::signed_int ? cudaChannelFormatKindSigned
                                            : cudaChannelFormatKindUnsigned;
  return d;
}

void make_array(Call& c, uint64_t to, uint64_t format, const ArraySpec& extent, uint32_t flags) {
  ArraySpec spec = extent;
  if (flags & cudaArraySparse) return refuse(c, not_supported, "sparse arrays do not exist here");
  spec.layered = flags & cudaArrayLayered, spec.cube = flags & cudaArrayCubemap;
  const bool faces = spec.layered ? spec.depth && spec.depth % 6 == 0 : spec.depth == 6;
  if (spec.cube && (spec.width != spec.height || !faces))
    return refuse(c, invalid_value,
                  "a cube map has six square faces: width and height are equal, and the depth is 6, or 6 per "
                  "layer");
  spec.surface = flags & cudaArraySurfaceLoadStore;
  spec.gather = flags & cudaArrayTextureGather;
  const std::string wrong = texel_format(c.load<cudaChannelFormatDesc>(format), &spec.format);
  if (!wrong.empty()) return refuse(c, invalid_value, wrong);
  constexpr uint64_t most = 1 << 20;
  if (!spec.width || spec.width > most || spec.height > most || spec.depth > most)
    return refuse(c, invalid_value, "an array needs a width, and no extent may exceed 1,048,576 texels");
  uint64_t handle = 0;
  if (TextureDriver* driver = c.rt.device().texture_driver()) {
    const CudaStatus s = driver->create_array(&handle, spec);
    if (!s.ok()) return c.status(s);
    c.rt.arrays[handle] = {spec, 0};
  } else {
    uint64_t data = 0;
    const CudaStatus s = c.rt.allocate(c, &data, simt::array_bytes(spec), Owner::device);
    if (!s.ok()) return c.status(s);
    handle = simt::place_image(c.rt.memory(), simt::image_of(spec, data),
                               c.rt.name_at(c.where.line, "the array"), c.where);
    if (!handle) return c.status(memory_allocation);
    c.rt.arrays[handle] = {spec, data};
  }
  c.store<uint64_t>(to, handle);
  c.status(0);
}

/// The array behind a handle, or null with a finding and a status.
const Runtime::Array* array_of(Call& c, uint64_t handle) {
  const auto it = c.rt.arrays.find(handle);
  if (it != c.rt.arrays.end()) return &it->second;
  const Region* r = c.rt.memory().find(handle);
  const bool freed = r && r->freed && r->base == handle;
  c.rt.report(c, Severity::error, freed ? "use_after_free" : "host_error",
              c.callee.demangled +
                  (freed ? " of " + r->name + ", which was freed at line " + std::to_string(r->released.line)
                         : " of a handle that is no array: cudaMallocArray makes them"));
  c.status(invalid_resource_handle);
  return nullptr;
}

void free_array(Call& c) {
  const uint64_t handle = c.ptr(0);
  if (!handle) return c.status(0);
  const Runtime::Array* a = array_of(c, handle);
  if (!a) return;
  const uint64_t data = a->data;
  c.rt.arrays.erase(handle);
  if (TextureDriver* driver = c.rt.device().texture_driver()) return c.status(driver->free_array(handle));
  const CudaStatus s = c.rt.device().release(data, c.where);
  c.rt.memory().release(handle, c.where);
  c.status(s);
}

void create_texture(Call& c) {
  const auto resource = c.load<cudaResourceDesc>(c.ptr(1));
  const auto d = c.load<cudaTextureDesc>(c.ptr(2));
  if (c.ptr(3)) return refuse(c, not_supported, "resource views do not exist here: pass NULL");
  if (d.seamlessCubemap)
    return refuse(c, not_supported,
                  "faces of cube maps are filtered one by one here: seamlessCubemap must be 0");
  TextureSource source;
  SamplerSpec sampler;
  const Runtime::Array* array = nullptr;
  if (resource.resType == cudaResourceTypeArray) {
    source.array_handle = reinterpret_cast<uint64_t>(resource.res.array.array);
    if (array = array_of(c, source.array_handle); !array) return;
    source.format = array->spec.format;
  } else if (resource.resType == cudaResourceTypeMipmappedArray) {
    return refuse(c, not_supported, "mipmapped arrays do not exist here");
  } else if (const Refusal no = memory_source(c, resource, &source); no.code) {
    return refuse(c, no.code, no.why);
  }
  if (const Refusal no = sampler_of(d, source, &sampler); no.code) return refuse(c, no.code, no.why);
  uint64_t handle = 0;
  if (TextureDriver* driver = c.rt.device().texture_driver()) {
    const CudaStatus s = driver->create_texture(&handle, source, sampler);
    if (!s.ok()) return c.status(s);
  } else {
    simt::Image i = array ? simt::image_of(array->spec, array->data) : simt::image_of(source);
    i.kind = simt::Image::texture;
    i.sampler = sampler;
    handle = simt::place_image(c.rt.memory(), i, c.rt.name_at(c.where.line, "the texture"), c.where);
    if (!handle) return c.status(memory_allocation);
  }
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

void create_surface(Call& c) {
  const auto resource = c.load<cudaResourceDesc>(c.ptr(1));
  if (resource.resType != cudaResourceTypeArray)
    return refuse(c, invalid_value, "a surface needs an array: resType = cudaResourceTypeArray");
  const uint64_t array = reinterpret_cast<uint64_t>(resource.res.array.array);
  const Runtime::Array* a = array_of(c, array);
  if (!a) return;
  if (!a->spec.surface)
    c.rt.report(
        c, Severity::warning, "host_error",
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
    return refuse(c, invalid_resource_handle,
                  region && region->freed ? region->name + " was destroyed before" : "no such object");
  c.rt.device().synchronize();  // what is queued may use it
  c.rt.memory().release(handle, c.where);
  c.status(0);
}

CopyBox::Side side(const BoxSide& s) {
  return {s.base + s.z * s.slice + s.y * s.row + s.x, s.row, s.slice, s.array != nullptr};
}

/// Copies a box between two sides; of each the array if it is one, else memory.
void copy_box(Call& c, const Box& box, int kind, uint64_t stream, bool blocking) {
  if (!box.width || !box.rows || !box.slices) return c.status(0);
  TextureDriver* driver = c.rt.device().texture_driver();
  for (const BoxSide* s : {&box.to, &box.from}) {
    if (!s->array) continue;
    const ArraySpec& e = s->array->spec;
    const auto outside = [](uint64_t at, uint64_t n, uint64_t all) { return at > all || n > all - at; };
    if (outside(s->x, box.width, e.width * e.format.bytes()) || outside(s->y, box.rows, e.rows()) ||
        outside(s->z, box.slices, e.slices())) {
      c.rt.report(
          c, Severity::error, "out_of_bounds",
          fmt::format("{} copies {} bytes by {} rows at column {} of an array of {} bytes by {} rows. "
                      "Its width is in bytes.",
                      c.callee.demangled, box.width, box.rows, s->x, e.width * e.format.bytes(), e.rows()));
      return c.status(invalid_value);
    }
  }
  const CopyBox bytes{side(box.to), side(box.from), box.width, box.rows, box.slices};
  if (driver && (box.to.array || box.from.array)) {
    if (box.to.array && box.from.array)
      return refuse(c, not_supported, "a real GPU's arrays are copied here to and from memory only");
    if (const int refused = c.rt.graphs().refuse_default_stream(c, stream)) return c.status(refused);
    if (c.rt.graphs().captures(stream))
      return c.status(c.rt.graphs().refuse(
          c, graph_error::capture_unsupported,
          c.callee.demangled +
              ": on a real GPU, graphs hold no copies of arrays here. Copy before the capture"));
    const BoxSide &a = box.to.array ? box.to : box.from, &m = box.to.array ? box.from : box.to;
    const CopyBox::Side& memory = box.to.array ? bytes.from : bytes.to;
    const uint64_t first = memory.base;
    if (const CudaStatus s =
            c.rt.check_copy_side(c, first, bytes.span(memory), kind, &a == &box.from, &bytes);
        !s.ok())
      return c.status(s);
    c.rt.count_copied(bytes.bytes());
    const uint32_t texel = a.array->spec.format.bytes();
    return c.status(driver->copy_array({a.handle, a.x / texel, a.y, a.z, first, m.row, m.slice, box.width,
                                        box.rows, box.slices, &a == &box.to, stream, blocking}));
  }
  c.status(c.rt.copy(c, bytes, kind, stream, blocking));
}

BoxSide array_side(Call& c, uint64_t handle, uint64_t x, uint64_t y, uint64_t z, bool* ok) {
  BoxSide s;
  s.array = array_of(c, handle);
  *ok = s.array != nullptr;
  if (!s.array) return s;
  const simt::Image i = simt::image_of(s.array->spec, s.array->data);
  s.handle = handle, s.x = x, s.y = y, s.z = z;
  s.base = i.data, s.row = i.row, s.slice = i.slice;
  return s;
}

/// cudaMemcpy2DToArray and its like.
void copy_2d_array(Call& c, bool to_array, bool async) {
  uint64_t stream = 0;
  if (async && !c.stream(8, &stream)) return;
  const size_t a = to_array ? 0 : 2, m = to_array ? 3 : 0;
  const uint64_t pitch = c.ptr(m + 1), width = c.ptr(5), height = c.ptr(6);
  if (pitch < width) return c.status(cudaErrorInvalidPitchValue);
  bool ok = false;
  Box box;
  const BoxSide array = array_side(c, c.ptr(a), c.ptr(a + 1), c.ptr(a + 2), 0, &ok);
  if (!ok) return;
  BoxSide memory;
  memory.base = c.ptr(m), memory.row = pitch, memory.slice = pitch * height;
  (to_array ? box.to : box.from) = array;
  (to_array ? box.from : box.to) = memory;
  box.width = width, box.rows = height;
  copy_box(c, box, c.i32(7), stream, !async);
}

/// cudaMemcpyToArray and cudaMemcpyFromArray, which toolkits before 13 have: bytes from a place on, row by
/// row.
void copy_flat(Call& c, bool to_array) {
  const size_t a = to_array ? 0 : 1, m = to_array ? 3 : 0;
  bool ok = false;
  Box box;
  const BoxSide array = array_side(c, c.ptr(a), c.ptr(a + 1), c.ptr(a + 2), 0, &ok);
  if (!ok) return;
  const uint64_t bytes = c.ptr(4), row = array.row;
  if (array.x || (bytes > row && bytes % row))
    return refuse(c, not_supported, "only whole rows are copied here: use cudaMemcpy2DToArray");
  box.width = std::min(bytes, row), box.rows = bytes > row ? bytes / row : 1;
  BoxSide memory;
  memory.base = c.ptr(m), memory.row = box.width, memory.slice = bytes;
  (to_array ? box.to : box.from) = array;
  (to_array ? box.from : box.to) = memory;
  copy_box(c, box, c.i32(5), 0, true);
}

/// What a description of a copy names; false: it is refused, or nothing is to be copied.
bool box_of(Call& c, const cudaMemcpy3DParms& p, Box& box) {
  uint64_t texel = 1;
  const auto refused = [&](int code) {
    c.status(code);
    return false;
  };
  const auto read = [&](cudaArray_t array, const cudaPos& pos, const cudaPitchedPtr& memory, BoxSide* to) {
    if (array) {
      bool ok = false;
      *to = array_side(c, reinterpret_cast<uint64_t>(array), pos.x, pos.y, pos.z, &ok);
      if (!ok) return false;
      texel = to->array->spec.format.bytes();
      to->x *= texel;
      return true;
    }
    to->base = reinterpret_cast<uint64_t>(memory.ptr), to->row = memory.pitch;
    if (memory.ysize && memory.pitch > UINT64_MAX / memory.ysize) return refused(invalid_value);
    to->slice = memory.pitch * memory.ysize, to->height = memory.ysize;
    to->x = pos.x, to->y = pos.y, to->z = pos.z;
    return true;
  };
  if (!read(p.srcArray, p.srcPos, p.srcPtr, &box.from) || !read(p.dstArray, p.dstPos, p.dstPtr, &box.to))
    return false;
  box.width = p.extent.width * texel;  // with an array in texels, else in bytes
  box.rows = p.extent.height, box.slices = p.extent.depth;
  if (!box.width || !box.rows || !box.slices) return refused(0);
  for (const BoxSide* s : {&box.to, &box.from}) {
    if (s->array) continue;
    if (s->x > s->row || box.width > s->row - s->x) return refused(cudaErrorInvalidPitchValue);
    // Slices don't overlap: each has room for the rows that are copied.
    if (box.slices > 1 && (s->y > s->height || box.rows > s->height - s->y)) return refused(invalid_value);
  }
  return true;
}

void copy_3d(Call& c, bool async) {
  uint64_t stream = 0;
  if (async && !c.stream(1, &stream)) return;
  const auto p = c.load<cudaMemcpy3DParms>(c.ptr(0));
  Box box;
  if (box_of(c, p, box)) copy_box(c, box, p.kind, stream, !async);
}

void array_info(Call& c) {
  const Runtime::Array* a = array_of(c, c.ptr(3));
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
       if (const Runtime::Array* a = array_of(c, c.ptr(1))) {
         c.store(c.ptr(0), description(a->spec.format));
         c.status(0);
       }
     }},
    {"cudaMemcpy2DToArray", [](Call& c) { copy_2d_array(c, true, false); }},
    {"cudaMemcpy2DToArrayAsync", [](Call& c) { copy_2d_array(c, true, true); }},
    {"cudaMemcpy2DFromArray", [](Call& c) { copy_2d_array(c, false, false); }},
    {"cudaMemcpy2DFromArrayAsync", [](Call& c) { copy_2d_array(c, false, true); }},
    {"cudaMemcpyToArray", [](Call& c) { copy_flat(c, true); }},
    {"cudaMemcpyFromArray", [](Call& c) { copy_flat(c, false); }},
    {"cudaMemcpy3D", [](Call& c) { copy_3d(c, false); }},
    {"cudaMemcpy3DAsync", [](Call& c) { copy_3d(c, true); }},
    {"cudaCreateTextureObject", create_texture},
    {"cudaDestroyTextureObject", [](Call& c) { destroy(c, simt::Image::texture); }},
    {"cudaCreateSurfaceObject", create_surface},
    {"cudaDestroySurfaceObject", [](Call& c) { destroy(c, simt::Image::surface); }},
};

}  // namespace

bool memory_box(Call& c, const cudaMemcpy3DParms& p, CopyBox* to) {
  Box box;
  if (p.srcArray || p.dstArray) {
    refuse(c, not_supported, "a graph's node copies memory here, no arrays");
    return false;
  }
  if (!box_of(c, p, box)) return false;
  *to = {side(box.to), side(box.from), box.width, box.rows, box.slices};
  return true;
}

std::span<const Entry> array_calls() { return arrays_entries; }

}  // namespace dojo::host
