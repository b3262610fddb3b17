#include "simt/textures/levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dojo::simt {

namespace {

Levels levels_within(const Image& i, float at) {
  const SamplerSpec& s = i.sampler;
  const float last = float(i.levels - 1);
  at = std::clamp(std::min(std::max(at, s.least_level), s.most_level), 0.0f, last);
  const uint32_t fixed = uint32_t(at * 256);
  if (!s.mip_linear) return {std::min((fixed + 128) >> 8, i.levels - 1), 0};
  return {fixed >> 8, int32_t(fixed & 255)};
}

}  // namespace

Levels levels_at(const Image& i, float lod) {
  return levels_within(i, std::isnan(lod) ? 0 : lod + i.sampler.bias);
}

Levels base_levels(const Image& i) { return levels_within(i, 0); }

float level_of_detail(const Image& i, int dimensions, const float* dx, const float* dy) {
  const uint64_t extents[3] = {i.extent.width, i.extent.rows(), i.extent.slices()};
  const auto length = [&](const float* d) {
    double texels[3] = {};
    for (int k = 0; k < dimensions; ++k) texels[k] = std::fabs(double(d[k]) * double(extents[k]));
    if (dimensions == 3) return std::hypot(texels[0], texels[1], texels[2]);
    const auto [least, most] = std::minmax(texels[0], texels[1]);
    return most + least * 11 / 32;
  };
  return float(std::log2(std::max(length(dx), length(dy))));
}

Texel mix_levels(const Image& image, const Texel& first, const Texel& next, int32_t weight) {
  Texel out;
  for (uint32_t k = 0; k < image.extent.format.components; ++k) {
    const double a = std::bit_cast<float>(first.word[k]), b = std::bit_cast<float>(next.word[k]);
    out.word[k] = std::bit_cast<uint32_t>(float((a * (256 - weight) + b * weight) / 256));
  }
  return out;
}

}  // namespace dojo::simt
