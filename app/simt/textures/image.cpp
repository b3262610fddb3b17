#include "simt/textures/image.hpp"

#include <cstring>

#include "core/collections/rounding.hpp"

namespace dojo::simt {
namespace {

constexpr uint64_t kTileBytes = 64, kTileRows = 8, kTile = kTileBytes * kTileRows;

/// Bytes of one slice in whole tiles.
uint64_t slice_bytes(const ArraySpec& s) {
  const uint64_t row = s.width * s.format.bytes();
  return round_up(row, kTileBytes) * (s.height ? round_up(s.height, kTileRows) : 1);
}

}  // namespace

Image image_of(const ArraySpec& spec, uint64_t data) {
  Image i;
  i.extent = spec;
  i.data = data;
  i.row = spec.width * spec.format.bytes();
  i.slice = i.row * spec.rows();
  return i;
}

Image image_of(const TextureSource& s) {
  Image i;
  i.kind = Image::texture;
  i.source = s.kind;
  i.data = s.address;
  i.extent.format = s.format;
  if (s.kind == TextureSource::linear) {
    i.extent.width = s.bytes / s.format.bytes();
    i.row = s.bytes;
  } else {
    i.extent.width = s.width, i.extent.height = s.height;
    i.row = s.pitch;
  }
  i.slice = i.row * i.extent.rows();
  return i;
}

uint64_t array_bytes(const ArraySpec& s) { return slice_bytes(s) * s.slices(); }

uint64_t place_image(AddressSpace& memory, const Image& image, std::string name, SourceLoc where) {
  Region* r = memory.allocate(sizeof image, Owner::constant, std::move(name), std::move(where));
  if (!r) return 0;
  std::memcpy(r->data, &image, sizeof image);
  r->initialized = true;
  return r->base;
}

const Image* image_at(AddressSpace& memory, uint64_t handle, Region** region) {
  Region* r = handle ? memory.find(handle) : nullptr;
  if (!r || r->base != handle || r->owner != Owner::constant || r->size != sizeof(Image) || !r->data)
    return nullptr;
  const auto* image = reinterpret_cast<const Image*>(r->data);
  if (image->magic != Image::mark) return nullptr;
  *region = r;
  return image;
}

uint64_t tile_address(uint64_t base, uint64_t x, uint64_t y, uint64_t width) {
  const uint64_t tiles = ceil_div(width, kTileBytes);
  const uint64_t tile = y / kTileRows * tiles + x / kTileBytes;
  const uint64_t inside =
      x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;  // bytes of the tile
  return base + tile * kTile + inside;
}

uint64_t counted_address(const Image& i, uint64_t x, uint64_t y, uint64_t z) {
  if (!i.tiled() || !i.extent.height) return i.texel_address(x, y, z);
  return tile_address(i.data + z * slice_bytes(i.extent), x * i.extent.format.bytes(), y, i.row);
}

}  // namespace dojo::simt
