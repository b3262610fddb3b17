#pragma once
// Arrays, textures and surfaces of the SIMT machine. What a program holds of one is the address of an Image:
// a small region of constant memory that describes it, as a GPU keeps texture headers in memory.
//
// The texels of an array lie row by row, without gaps, so that a copy of whole rows is one copy. How a GPU
// lays them out is not public; for counters and caches the machine assumes tiles (tile_address).
//
// The room knows memory and no instruction. What a fetch computes: sampler.hpp.
#include <string>

#include "core/memory.hpp"
#include "core/textures/descriptions.hpp"

namespace dojo::simt {

struct Image {
  enum Kind : uint32_t { array, texture, surface };
  static constexpr uint64_t mark = 0x646f6a6f'74657874;  ///< tells an Image from other memory
  uint64_t magic = mark;
  Kind kind = array;
  TextureSource::Kind source = TextureSource::array;
  ArraySpec extent;             ///< texels, and their format
  SamplerSpec sampler;          ///< textures
  uint64_t data = 0;            ///< address of the first texel
  uint64_t row = 0, slice = 0;  ///< bytes from row to row, from slice (or layer) to slice
  // Textures of mipmapped arrays:
  uint32_t levels = 1;      ///< this one and those behind it
  uint64_t next_level = 0;  ///< handle of the image of half the extents; 0: this is the last one
  bool tiled() const { return source == TextureSource::array; }
  uint64_t texel_address(uint64_t x, uint64_t y, uint64_t z) const {
    return data + z * slice + y * row + x * extent.format.bytes();
  }
};

/// Of an array whose texels lie at `data`.
Image image_of(const ArraySpec&, uint64_t data);
/// Of linear or pitched memory.
Image image_of(const TextureSource&);
/// Bytes that an array needs, whole tiles.
uint64_t array_bytes(const ArraySpec&);

/// Places the description; 0 when there is no memory left. The region has `name`.
uint64_t place_image(AddressSpace&, const Image&, std::string name, SourceLoc where);
/// The image behind a handle, null when the handle is none; and its region, which may be freed.
const Image* image_at(AddressSpace&, uint64_t handle, Region** region);

/// The address at which the machine counts a texel of an array: tiles of 64 bytes by 8 rows, in which 32
/// bytes hold 16 bytes of two rows and 128 bytes hold 32 bytes of four rows. This is the block-linear layout
/// that NVIDIA's Tegra X1 manual describes; that a CUDA array of an H100 has it is an assumption. `x` in
/// bytes, `width` bytes of a row.
uint64_t tile_address(uint64_t base, uint64_t x, uint64_t y, uint64_t width);
/// Where the machine counts a texel: tiles of arrays of two and three dimensions, else where it lies.
uint64_t counted_address(const Image&, uint64_t x, uint64_t y, uint64_t z);

}  // namespace dojo::simt
