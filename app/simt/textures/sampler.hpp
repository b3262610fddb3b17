#pragma once
// What a texture fetch reads and how it mixes: pure functions of a description and coordinates, by the CUDA
// C++ Programming Guide, "Texture Fetching", and bit by bit as an H100 does (tests/truth/textures.txt).
//
//   nearest: T[floor(u)].   linear: v = u - 0.5, i = floor(v), a = v - i: (1 - a) T[i] + a T[i + 1].
//
// u is the coordinate in texels: a normalised one, cut to 21 bits of fraction, times the extent. The fraction
// a is rounded to 8 bits. Each texel outside is then taken by its own: clamped to the border, wrapped,
// mirrored, or the border colour. Example: 4 texels, u = 3.75, linear, clamp: v = 3.25, texels 3 and 4, 4
// becomes 3: T[3].
#include <cstdint>

#include "simt/textures/image.hpp"

namespace dojo::simt {

/// Where a lane samples.
struct Coordinates {
  float at[3] = {0, 0, 0};  ///< of a cube map, the direction
  uint32_t layer = 0;       ///< of layered arrays; beyond the last it is the last
};
/// The face of a cube map that a direction meets, as a layer, and the place on it, from 0 to 1 in two
/// dimensions. By the CUDA C++ Programming Guide, "Cubemap Textures". Of equal coordinates an H100 takes z
/// before y before x. It filters each face by itself, with the texture's address modes.
Coordinates on_face(const Image&, const Coordinates& direction);

struct Footprint {
  struct Texel {
    uint32_t x = 0, y = 0, z = 0;
    bool inside = true;    ///< false: the border colour
    int32_t weight = 256;  ///< 256ths
  };
  int count = 1;         ///< 1, 2, 4 or 8
  bool outside = false;  ///< a coordinate lies outside the image; the address mode decides
  Texel texel[8];
};

/// What a fetch of a cube map reads that filters across the edges of faces. `placed`: of on_face(). A texel
/// beyond an edge is the nearest one of the face there. Beyond a corner there is none: the other three get
/// its weight in equal parts. That an H100 does so at corners is assumed.
Footprint across_faces(const Image&, const Coordinates& placed);
/// What a fetch in `dimensions` reads.
Footprint footprint(const Image&, int dimensions, const Coordinates&);
/// The four texels around a place, in the order of a gather: (0, 1), (1, 1), (1, 0), (0, 0).
Footprint gathered(const Image&, const Coordinates&);

/// A texel's four components, as a fetch gives them and as they are mixed. Those that the format lacks are 0.
struct Texel {
  /// Bits as they are in memory, widened to 32 (integers by their sign, halves to float), or floats where the
  /// sampler converts.
  uint32_t word[4] = {0, 0, 0, 0};
  float value[4] = {0, 0, 0, 0};  ///< the component as a number; integers as they are
};
Texel read_texel(const Image&, const std::byte* at);
Texel border_texel(const Image&);
/// Does a fetch give floats?
bool gives_floats(const Image&);

/// The weighted sum of floats; a single texel is given as it is. Floats are added at the place of the largest
/// one, with 4 bits behind it; halves are rounded to a half, integers that are read as floats to 16 bits.
Texel mix(const Image&, const Footprint&, const Texel* texels);

}  // namespace dojo::simt
