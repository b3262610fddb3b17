#pragma once
// Mipmapped textures: which levels a fetch reads, and how two are mixed.
//
//   level of detail   given (tex2DLod), or log2 of the longer gradient in texels of level 0 (tex2DGrad)
//   level             it plus the bias, cut to the sampler's levels and to those that are there
//
// It is rounded to 8 bits of fraction, as coordinates are. Nearest: the level that it is rounded to, a half
// up. Linear: the fraction is the weight of the next level. A fetch without either reads level 0 (tex.base of
// the PTX ISA). Rounding and mixing are assumed, not compared with a GPU. Example: level of detail 1.25,
// linear: 192/256 of level 1 and 64/256 of level 2.
#include "simt/textures/sampler.hpp"

namespace dojo::simt {

struct Levels {
  uint32_t first = 0;
  int32_t second = 0;  ///< weight of the next level, 256ths
};

Levels levels_at(const Image&, float level_of_detail);
/// The level of detail of gradients along the axes, of `dimensions` each, in normalised coordinates.
float level_of_detail(const Image&, int dimensions, const float* dx, const float* dy);
/// Two levels' results.
Texel mix_levels(const Image&, const Texel& first, const Texel& next, int32_t weight);

}  // namespace dojo::simt
