#include "simt/textures/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/types.hpp"

namespace dojo::simt {
namespace {

/// One axis: the texels along it, and the second one's weight in 256ths.
struct Axis {
  int count = 1;
  int64_t index[2] = {0, 0};
  bool inside[2] = {true, true};
  bool outside = false;  ///< the coordinate lies outside the image
  int32_t second = 0;
};

/// The coordinate in texels. Normalised ones have 21 bits of fraction; where the image repeats, two copies of
/// it are as good as all.
double in_texels(double c, int64_t n, const SamplerSpec& s, SamplerSpec::Address mode) {
  constexpr double far = 1e9, unit = 1 << 21;
  if (std::isnan(c)) return 0;
  if (!s.normalised) return std::clamp(c, -far, far);
  if (mode == SamplerSpec::wrap || mode == SamplerSpec::mirror) {
    if (std::isinf(c)) return 0;
    c = std::fmod(c, 2);
  }
  return std::floor(std::clamp(c, -4.0, 4.0) * unit) * double(n) / unit;
}

/// A texel of the axis that lies outside, by the address mode.
void place(Axis& a, int k, int64_t i, int64_t n, SamplerSpec::Address mode) {
  const auto modulo = [](int64_t v, int64_t m) { return (v % m + m) % m; };
  a.index[k] = std::clamp<int64_t>(i, 0, n - 1);
  if (mode == SamplerSpec::border) a.inside[k] = i >= 0 && i < n;
  if (mode == SamplerSpec::wrap) a.index[k] = modulo(i, n);
  if (mode == SamplerSpec::mirror) a.index[k] = std::min(modulo(i, 2 * n), 2 * n - 1 - modulo(i, 2 * n));
}

Axis along(float c, uint64_t extent, const SamplerSpec& s, int axis, bool linear) {
  const int64_t n = int64_t(extent);
  SamplerSpec::Address mode = s.address[axis];
  // Wrap and mirror need normalised coordinates; without them they are clamp.
  if (!s.normalised && (mode == SamplerSpec::wrap || mode == SamplerSpec::mirror)) mode = SamplerSpec::clamp;
  const double u = in_texels(double(c), n, s, mode);
  Axis a;
  a.outside = u < 0 || u >= double(n);
  if (!linear) {
    place(a, 0, int64_t(std::floor(u)), n, mode);
    return a;
  }
  const int64_t fixed = int64_t(std::floor((u - 0.5) * 256 + 0.5));  // 8 bits of fraction
  a.count = 2;
  a.second = int32_t(fixed & 255);
  place(a, 0, fixed >> 8, n, mode);
  place(a, 1, (fixed >> 8) + 1, n, mode);
  // One texel twice: all of the weight is the first one's.
  if (a.index[0] == a.index[1] && mode == SamplerSpec::clamp) a.second = 0;
  return a;
}

/// The part of a weight that goes to the second texel of an axis, in 256ths; a half goes up if `up`.
int32_t part(int32_t weight, int32_t second, bool up) { return (weight * second + 127 + up) >> 8; }

/// The integer that is read as 1.
float most_of(const TexelFormat& f) {
  return float((1u << (f.kind == TexelFormat::signed_int ? f.bits - 1 : f.bits % 32)) - 1);
}

/// Component `raw` as a number: integers as they are.
float plain_value(const TexelFormat& f, uint32_t raw) {
  if (f.kind == TexelFormat::floating)
    return f.bits == 16 ? half_to_float(uint16_t(raw)) : std::bit_cast<float>(raw);
  const bool is_signed = f.kind == TexelFormat::signed_int;
  return is_signed ? float(int32_t(raw << (32 - f.bits)) >> (32 - f.bits)) : float(raw);
}

/// Component `raw` of the format as the fetch gives it.
uint32_t widened(const Image& i, uint32_t raw) {
  const TexelFormat& f = i.extent.format;
  if (f.kind == TexelFormat::floating)
    return f.bits == 16 ? std::bit_cast<uint32_t>(half_to_float(uint16_t(raw))) : raw;
  if (i.sampler.to_float) return std::bit_cast<uint32_t>(std::max(-1.0f, plain_value(f, raw) / most_of(f)));
  return f.kind == TexelFormat::signed_int ? uint32_t(int32_t(raw << (32 - f.bits)) >> (32 - f.bits)) : raw;
}

}  // namespace

Coordinates on_face(const Image& i, const Coordinates& c) {
  const float x = c.at[0], y = c.at[1], z = c.at[2];
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const uint64_t cubes = i.extent.slices() / 6;
  Coordinates out;
  out.layer = uint32_t(std::min<uint64_t>(c.layer, cubes - 1)) * 6;
  const auto place = [&](uint32_t face, float major, float s, float t) {
    out.layer += face;
    out.at[0] = (s / major + 1) / 2, out.at[1] = (t / major + 1) / 2;
  };
  if (az >= ax && az >= ay)
    place(4 + std::signbit(z), az, std::signbit(z) ? -x : x, -y);
  else if (ay >= ax)
    place(2 + std::signbit(y), ay, x, std::signbit(y) ? -z : z);
  else
    place(std::signbit(x), ax, std::signbit(x) ? z : -z, -y);
  return out;
}

Footprint footprint(const Image& i, int dimensions, const Coordinates& c) {
  SamplerSpec sampler = i.sampler;
  sampler.normalised |= i.extent.cube;
  const uint64_t extents[3] = {i.extent.width, i.extent.rows(), i.extent.slices()};
  Axis axes[3];
  for (int k = 0; k < dimensions; ++k) axes[k] = along(c.at[k], extents[k], sampler, k, sampler.linear);
  // A row is a plane of one row at y = 0, half of which lies in the border.
  if (dimensions == 1 && sampler.linear && sampler.address[1] == SamplerSpec::border)
    axes[1] = along(0, 1, sampler, 1, true);
  if (i.extent.layered || i.extent.cube)
    axes[2].index[0] = int64_t(std::min<uint64_t>(c.layer, i.extent.slices() - 1));
  // Weights are divided among columns and slices first, then each among its two rows.
  const int32_t x1 = axes[0].second, z1 = axes[2].second, both = part(x1, z1, true);
  const int32_t of[2][2] = {{256 - x1 - z1 + both, x1 - both}, {z1 - both, both}};
  Footprint f;
  f.count = 0;
  f.outside = axes[0].outside || axes[1].outside || axes[2].outside;
  for (int z = 0; z < axes[2].count; ++z)
    for (int y = 0; y < axes[1].count; ++y)
      for (int x = 0; x < axes[0].count; ++x) {
        Footprint::Texel& t = f.texel[f.count++];
        t.x = uint32_t(axes[0].index[x]), t.y = uint32_t(axes[1].index[y]), t.z = uint32_t(axes[2].index[z]);
        t.inside = axes[0].inside[x] && axes[1].inside[y] && axes[2].inside[z];
        const int32_t below = part(of[z][x], axes[1].second, x == 1);
        t.weight = y ? below : of[z][x] - below;
      }
  return f;
}

namespace {

/// The direction of a place on a face (0 to 5), s and t from -1 to 1: on_face() backwards.
Coordinates direction_of(uint32_t face, float s, float t) {
  const float all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  Coordinates c;
  std::copy_n(all[face], 3, c.at);
  return c;
}

/// The texel of a neighbouring face that lies at (x, y) beyond an edge of `layer`.
Footprint::Texel beyond_edge(const Image& i, uint32_t layer, int64_t x, int64_t y) {
  const float n = float(i.extent.width);
  const auto from_centre = [&](int64_t k) { return (2 * float(k) + 1) / n - 1; };
  Coordinates c = direction_of(layer % 6, from_centre(x), from_centre(y));
  c.layer = layer / 6;
  const Coordinates there = on_face(i, c);
  const auto texel = [&](float at) {
    return uint32_t(std::clamp<int64_t>(int64_t(std::floor(at * n)), 0, int64_t(i.extent.width) - 1));
  };
  Footprint::Texel t;
  t.x = texel(there.at[0]), t.y = texel(there.at[1]), t.z = there.layer;
  return t;
}

}  // namespace

Footprint across_faces(const Image& i, const Coordinates& placed) {
  const int64_t n = int64_t(i.extent.width);
  SamplerSpec s = i.sampler;
  s.normalised = true;
  int64_t first[2];
  int32_t second[2];
  for (int k = 0; k < 2; ++k) {
    const double u = in_texels(double(placed.at[k]), n, s, SamplerSpec::clamp);
    const int64_t fixed = int64_t(std::floor((u - 0.5) * 256 + 0.5));
    first[k] = fixed >> 8, second[k] = int32_t(fixed & 255);
  }
  Footprint f;
  f.count = 4;
  int corner = -1;
  for (int k = 0; k < 4; ++k) {
    const int64_t x = first[0] + k % 2, y = first[1] + k / 2;
    const bool out_x = x < 0 || x >= n, out_y = y < 0 || y >= n;
    Footprint::Texel& t = f.texel[k];
    if (out_x && out_y) {
      corner = k;
    } else if (out_x || out_y) {
      t = beyond_edge(i, placed.layer, x, y);
    } else {
      t.x = uint32_t(x), t.y = uint32_t(y), t.z = placed.layer;
    }
    const int32_t column = k % 2 ? second[0] : 256 - second[0], below = part(column, second[1], k % 2 == 1);
    t.weight = k / 2 ? below : column - below;
  }
  if (corner < 0) return f;
  // Of 3 w parts each texel has w, of what is left over the first ones have one more.
  const int32_t spare = f.texel[corner].weight;
  f.texel[corner] = f.texel[3];
  f.count = 3;
  for (int k = 0; k < 3; ++k) f.texel[k].weight += spare / 3 + (k < spare % 3);
  return f;
}

Footprint gathered(const Image& i, const Coordinates& c) {
  Axis x = along(c.at[0], i.extent.width, i.sampler, 0, true),
       y = along(c.at[1], i.extent.rows(), i.sampler, 1, true);
  constexpr int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Footprint f;
  f.count = 4;
  f.outside = x.outside || y.outside;
  for (int k = 0; k < 4; ++k) {
    Footprint::Texel& t = f.texel[k];
    t.x = uint32_t(x.index[order[k][0]]), t.y = uint32_t(y.index[order[k][1]]);
    t.z = i.extent.layered ? uint32_t(std::min<uint64_t>(c.layer, i.extent.slices() - 1)) : 0;
    t.inside = x.inside[order[k][0]] && y.inside[order[k][1]];
  }
  return f;
}

Texel read_texel(const Image& i, const std::byte* at) {
  Texel t;
  const TexelFormat& f = i.extent.format;
  for (uint32_t k = 0; k < f.components; ++k) {
    uint32_t raw = 0;
    std::memcpy(&raw, at + k * (f.bits / 8), f.bits / 8);
    t.value[k] = plain_value(f, raw);
    t.word[k] = widened(i, raw);
  }
  return t;
}

Texel border_texel(const Image& i) {
  Texel t;
  const TexelFormat& f = i.extent.format;
  for (uint32_t k = 0; k < f.components; ++k) {
    const float colour = i.sampler.border_colour[k];
    t.value[k] = f.kind == TexelFormat::floating ? colour : colour * most_of(f);
    t.word[k] = gives_floats(i) ? std::bit_cast<uint32_t>(colour) : uint32_t(int32_t(colour));
  }
  return t;
}

bool gives_floats(const Image& i) {
  return i.extent.format.kind == TexelFormat::floating || i.sampler.to_float;
}

namespace {

/// Rounds v to `bits` bits of mantissa with exponents from `least` on, half away from zero; smaller ones have
/// fewer bits.
double rounded(double v, int bits, int least) {
  if (v == 0 || !std::isfinite(v)) return v;
  int e = 0;
  std::frexp(v, &e);
  const double lsb = std::ldexp(1, std::max(e - 1, least) - bits + 1);
  return std::round(v / lsb) * lsb;
}

/// Is it 0 for the sum? Denormal floats are.
bool vanishes(float v) { return std::fabs(v) < 0x1p-126f; }

/// Floats are added as integers at the place of the largest: 24 bits and 4 behind them, times 256ths.
float sum_of_floats(const Footprint& f, const float* v) {
  double plain = 0;
  int largest = -200;
  bool negative = true;  // all of them are -0
  for (int i = 0; i < f.count; ++i) {
    if (!f.texel[i].weight) continue;
    plain += double(f.texel[i].weight) * double(v[i]);
    negative &= v[i] == 0 && std::signbit(v[i]);
    if (std::isfinite(v[i]) && !vanishes(v[i])) largest = std::max(largest, std::ilogb(v[i]));
  }
  if (negative) return -0.0f;
  if (!std::isfinite(plain)) return float(plain);
  int64_t sum = 0;
  for (int i = 0; i < f.count; ++i)
    if (f.texel[i].weight && !vanishes(v[i]))
      sum += f.texel[i].weight * int64_t(std::ldexp(double(v[i]), 27 - largest));
  return float(rounded(std::ldexp(double(sum), largest - 27 - 8), 24, -126));
}

/// Integers that are read as floats: the sum has 16 bits.
float sum_of_integers(const TexelFormat& format, const Footprint& f, const float* v) {
  const bool is_signed = format.kind == TexelFormat::signed_int;
  const double whole = is_signed ? 32767 : 65535;
  double sum = 0;
  for (int i = 0; i < f.count; ++i) sum += f.texel[i].weight * double(v[i]);
  const double scaled = std::floor(sum * (whole / double(most_of(format))) / 256 + 0.5);
  return std::max(-1.0f, float(scaled) / float(whole));
}

float sum_of_halves(const Footprint& f, const float* v) {
  double sum = 0;
  for (int i = 0; i < f.count; ++i)
    if (f.texel[i].weight) sum += f.texel[i].weight * double(v[i]);
  return float(rounded(sum / 256, 11, -14));
}

}  // namespace

Texel mix(const Image& image, const Footprint& f, const Texel* texels) {
  if (f.count == 1) return texels[0];
  const TexelFormat& format = image.extent.format;
  const bool halves = format.kind == TexelFormat::floating && format.bits == 16;
  Texel out;
  for (uint32_t k = 0; k < format.components; ++k) {
    float v[8];
    for (int i = 0; i < f.count; ++i) v[i] = texels[i].value[k];
    const float result = halves                                 ? sum_of_halves(f, v)
                         : format.kind == TexelFormat::floating ? sum_of_floats(f, v)
                                                                : sum_of_integers(format, f, v);
    // The bits of what is no number are the hardware's.
    out.word[k] = !std::isnan(result) ? std::bit_cast<uint32_t>(result) : halves ? 0x7fffe000u : 0x7fffffffu;
  }
  return out;
}

}  // namespace dojo::simt
