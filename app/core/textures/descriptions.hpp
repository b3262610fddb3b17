#pragma once
// Arrays, textures and surfaces, as a program describes them to the CUDA runtime: what a texel is, how large
// an array is, how it is sampled. The SIMT machine keeps such descriptions in its own memory
// (simt/textures/descriptor.hpp); a real GPU's driver makes its own of them (TextureDriver).
#include <cstdint>

#include "core/device.hpp"

namespace dojo {

/// One to four components of equal width.
struct TexelFormat {
  enum Kind : uint8_t { unsigned_int, signed_int, floating };
  uint8_t bits = 32, components = 1;  ///< bits of a component: 8, 16 or 32
  Kind kind = floating;
  uint32_t bytes() const { return uint32_t(bits) / 8 * components; }
  bool operator==(const TexelFormat&) const = default;
};

struct ArraySpec {
  TexelFormat format;
  uint64_t width = 0, height = 0, depth = 0;  ///< texels; 0: the array has not that dimension
  bool layered = false;                       ///< depth counts layers
  bool cube = false;                          ///< depth counts faces, six per layer of cubes
  bool surface = false, gather = false;       ///< flags of its allocation
  uint64_t rows() const { return height ? height : 1; }
  uint64_t slices() const { return depth ? depth : 1; }
};

struct SamplerSpec {
  enum Address : uint8_t { wrap, clamp, mirror, border };  // as cudaTextureAddressMode
  Address address[3] = {clamp, clamp, clamp};
  bool linear = false;      ///< filter; else the nearest texel
  bool normalised = false;  ///< coordinates from 0 to 1
  bool to_float = false;    ///< integers of 8 and 16 bits are read as 0 to 1, or -1 to 1
  float border_colour[4] = {0, 0, 0, 0};
  bool seamless = false;  ///< of cube maps: a filter reaches across the edges of faces
  // Mipmapped arrays:
  bool mip_linear = false;  ///< mixes two levels; else the nearest one
  float bias = 0, least_level = 0, most_level = 0;
};

struct TextureSource {
  enum Kind : uint8_t { array, linear, pitched } kind = array;
  uint64_t array_handle = 0;
  // Memory:
  uint64_t address = 0, bytes = 0;  ///< bytes: of linear memory
  TexelFormat format;
  uint64_t width = 0, height = 0, pitch = 0;  ///< texels, rows, bytes from row to row
};

/// A box of an array, in texels, and memory that it is copied to or from.
struct ArrayCopy {
  uint64_t array = 0, x = 0, y = 0, z = 0;    ///< handle, and the box's corner
  uint64_t memory = 0, pitch = 0, slice = 0;  ///< address; bytes from row to row and from slice to slice
  uint64_t width_bytes = 0, rows = 0, slices = 0;
  bool to_array = false;
  uint64_t stream = 0;  ///< the device's handle
  bool blocking = true;
};

/// What a device with a driver of its own does about arrays, textures and surfaces. Handles are the driver's.
class TextureDriver {
 public:
  virtual ~TextureDriver() = default;
  virtual CudaStatus create_array(uint64_t* handle, const ArraySpec&) = 0;
  virtual CudaStatus free_array(uint64_t handle) = 0;
  /// Memory of host or device; copies with host memory are done when it returns.
  virtual CudaStatus copy_array(const ArrayCopy&) = 0;
  virtual CudaStatus create_texture(uint64_t* handle, const TextureSource&, const SamplerSpec&) = 0;
  virtual CudaStatus create_surface(uint64_t* handle, uint64_t array) = 0;
  virtual CudaStatus destroy_texture(uint64_t handle) = 0;
  virtual CudaStatus destroy_surface(uint64_t handle) = 0;
};

}  // namespace dojo
