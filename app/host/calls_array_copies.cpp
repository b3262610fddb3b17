// Copies to, from and between arrays, and boxes of memory.
#include <driver_types.h>
#include <fmt/format.h>

#include "core/text/numbers.hpp"
#include "host/arrays.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "simt/textures/image.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

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
          c, Severity::error, FindingKind::out_of_bounds,
          fmt::format("{} copies {} bytes by {} rows at column {} of an array of {} bytes by {} rows. "
                      "Its width is in bytes.",
                      c.name(), box.width, box.rows, s->x, e.width * e.format.bytes(), e.rows()));
      return c.status(invalid_value);
    }
  }
  const CopyBox bytes{side(box.to), side(box.from), box.width, box.rows, box.slices};
  if (driver && (box.to.array || box.from.array)) {
    if (box.to.array && box.from.array)
      return refuse_array(c, not_supported, "a real GPU's arrays are copied here to and from memory only");
    if (const int refused = c.rt.graphs().refuse_default_stream(c, stream)) return c.status(refused);
    if (c.rt.graphs().captures(stream))
      return c.status(c.rt.graphs().refuse(
          c, graph_error::capture_unsupported,
          c.name() + ": on a real GPU, graphs hold no copies of arrays here. Copy before the capture"));
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
    return refuse_array(c, not_supported, "only whole rows are copied here: use cudaMemcpy2DToArray");
  box.width = std::min(bytes, row), box.rows = bytes > row ? bytes / row : 1;
  BoxSide memory;
  memory.base = c.ptr(m), memory.row = box.width, memory.slice = bytes;
  (to_array ? box.to : box.from) = array;
  (to_array ? box.from : box.to) = memory;
  copy_box(c, box, c.i32(5), 0, true);
}

/// The product, or UINT64_MAX where that is no number of 64 bits.
uint64_t capped_product(uint64_t a, uint64_t b) {
  uint64_t n = 0;
  return __builtin_mul_overflow(a, b, &n) ? UINT64_MAX : n;
}

/// Does the first byte of a side in memory have an address of 64 bits?
bool has_address(const BoxSide& s) {
  uint64_t at = capped_product(s.z, s.slice);
  return !__builtin_add_overflow(at, capped_product(s.y, s.row), &at) &&
         !__builtin_add_overflow(at, s.x, &at) && !__builtin_add_overflow(at, s.base, &at);
}

/// What a description of a copy names; false: it is refused, or nothing is to be copied.
bool box_of(Call& c, const cudaMemcpy3DParms& p, Box& box) {
  uint64_t texel = 1;
  const auto refused = [&](int code) {
    c.status(code);
    return false;
  };
  const auto past_memory = [&](const BoxSide& s) {
    c.rt.report(c, Severity::error, FindingKind::out_of_bounds,
                fmt::format("{}: its {}, at row {} of slice {}, with rows {} bytes apart in slices of {} "
                            "rows, is past the end of any memory",
                            c.name(), &s == &box.to ? "destination" : "source", grouped(double(s.y)),
                            grouped(double(s.z)), grouped(double(s.row)), grouped(double(s.height))));
    return refused(invalid_value);
  };
  const auto read = [&](cudaArray_t array, const cudaPos& pos, const cudaPitchedPtr& memory, BoxSide* to) {
    if (array) {
      bool ok = false;
      *to = array_side(c, reinterpret_cast<uint64_t>(array), pos.x, pos.y, pos.z, &ok);
      if (!ok) return false;
      texel = to->array->spec.format.bytes();
      to->x = capped_product(to->x, texel);
      return true;
    }
    to->base = reinterpret_cast<uint64_t>(memory.ptr), to->row = memory.pitch;
    to->slice = capped_product(memory.pitch, memory.ysize), to->height = memory.ysize;
    to->x = pos.x, to->y = pos.y, to->z = pos.z;
    return to->slice != UINT64_MAX || past_memory(*to);
  };
  if (!read(p.srcArray, p.srcPos, p.srcPtr, &box.from) || !read(p.dstArray, p.dstPos, p.dstPtr, &box.to))
    return false;
  box.width = capped_product(p.extent.width, texel);  // with an array in texels, else in bytes
  box.rows = p.extent.height, box.slices = p.extent.depth;
  if (!box.width || !box.rows || !box.slices) return refused(0);
  for (const BoxSide* s : {&box.to, &box.from}) {
    if (s->array) continue;
    if (s->x > s->row || box.width > s->row - s->x) return refused(cudaErrorInvalidPitchValue);
    // Slices don't overlap: each has room for the rows that are copied.
    if (box.slices > 1 && (s->y > s->height || box.rows > s->height - s->y)) return refused(invalid_value);
    if (!has_address(*s)) return past_memory(*s);
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

const Entry array_copies_entries[] = {
    {"cudaMemcpy2DToArray", [](Call& c) { copy_2d_array(c, true, false); }},
    {"cudaMemcpy2DToArrayAsync", [](Call& c) { copy_2d_array(c, true, true); }},
    {"cudaMemcpy2DFromArray", [](Call& c) { copy_2d_array(c, false, false); }},
    {"cudaMemcpy2DFromArrayAsync", [](Call& c) { copy_2d_array(c, false, true); }},
    {"cudaMemcpyToArray", [](Call& c) { copy_flat(c, true); }},
    {"cudaMemcpyFromArray", [](Call& c) { copy_flat(c, false); }},
    {"cudaMemcpy3D", [](Call& c) { copy_3d(c, false); }},
    {"cudaMemcpy3DAsync", [](Call& c) { copy_3d(c, true); }},
    {"__cudaCDP2Memcpy3DAsync", [](Call& c) { copy_3d(c, true); }},
};

}  // namespace

bool memory_box(Call& c, const cudaMemcpy3DParms& p, CopyBox* to) {
  Box box;
  if (p.srcArray || p.dstArray) {
    refuse_array(c, not_supported, "a graph's node copies memory here, no arrays");
    return false;
  }
  if (!box_of(c, p, box)) return false;
  *to = {side(box.to), side(box.from), box.width, box.rows, box.slices};
  return true;
}

std::span<const Entry> array_copy_calls() { return array_copies_entries; }

}  // namespace dojo::host
