#include "simt/textures/levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dojo::simt {

Levels levels_at(const Image& i, float lod) {
  const SamplerSpec& s = i.sampler;
  const float last = float(i.levels - 1);
  float at = std::isnan(lod) ? 0 : lod + s.bias;
  at = std::clamp(std::min(std::max(at, s.least_level), s.most_level), 0.0f, last);
  const uint32_t fixed = uint32_t(std::floor(at * 256 + 0.5f));
  if (!s.mip_linear) return {std::min((fixed + 128) >> 8, i.levels - 1), 0};
  return {fixed >> 8, int32_t(fixed & 255)};
}

float level_of_detail(const Image& i, int dimensions, const float* dx, const float* dy) {
  const uint64_t extents[3] = {i.extent.width, i.extent.rows(), i.extent.slices()};
  const auto length = [&](const float* d) {
    double sum = 0;
    for (int k = 0; k < dimensions; ++k) sum += std::pow(double(d[k]) * double(extents[k]), 2);
    return std::sqrt(sum);
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
