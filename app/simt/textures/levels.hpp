#pragma once
// Mipmapped textures: which levels a fetch reads, and how two are mixed.
//
//   level of detail   given (tex2DLod), or log2 of the longer gradient in texels of level 0 (tex2DGrad). The
//                     length in two dimensions is the larger part and 11/32 of the smaller one
//   level             it plus the bias, cut to the sampler's levels and to those that are there
//
// It is cut to 8 bits of fraction. Nearest: the level that it is rounded to, a half up. Linear: the fraction
// is the weight of the next level. A fetch without either reads level 0, cut to the sampler's levels, without
// the bias. So does an H100 (tests/truth/mipmaps.txt); its levels of gradients are the same or 1/256 off, and
// it mixes two levels of filtered texels with another rounding. Assumed: the length in three dimensions is
// Euclid's. Example: level of detail 1.25, linear: 192/256 of level 1 and 64/256 of level 2.
#include "simt/textures/sampler.hpp"

namespace dojo::simt {

struct Levels {
  uint32_t first = 0;
  int32_t second = 0;  ///< weight of the next level, 256ths
};

Levels levels_at(const Image&, float level_of_detail);
/// The levels of a fetch that names none.
Levels base_levels(const Image&);
/// The level of detail of gradients along the axes, of `dimensions` each, in normalised coordinates.
float level_of_detail(const Image&, int dimensions, const float* dx, const float* dy);
/// Two levels' results.
Texel mix_levels(const Image&, const Texel& first, const Texel& next, int32_t weight);

}  // namespace dojo::simt
