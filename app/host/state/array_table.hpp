#pragma once
// The CUDA arrays and mipmapped arrays of a program that live.
#include <cstdint>
#include <map>
#include <vector>

#include "core/textures/descriptions.hpp"

namespace dojo::host {

/// An array. `data`: address of the texels, 0 on a device with a texture driver of its own.
struct Array {
  ArraySpec spec;
  uint64_t data = 0;
};

struct ArrayTable {
  std::map<uint64_t, Array> arrays;                   ///< by handle
  std::map<uint64_t, std::vector<uint64_t>> mipmaps;  ///< by handle: the handles of their levels' arrays
  uint64_t mipmaps_made = 0;
};

}  // namespace dojo::host
