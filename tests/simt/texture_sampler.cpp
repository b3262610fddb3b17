// The sampler by itself: which texels a coordinate reads, and with what weights (CUDA C++ Programming Guide,
// Texture Fetching).
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <set>

#include "simt/textures/levels.hpp"

using namespace dojo;
using namespace dojo::simt;

namespace {

Image row_of(uint64_t width, SamplerSpec::Address mode, bool linear, bool normalised) {
  ArraySpec s;
  s.width = width;
  Image i = image_of(s, 0);
  for (SamplerSpec::Address& a : i.sampler.address) a = mode;
  i.sampler.linear = linear, i.sampler.normalised = normalised;
  return i;
}

/// The texel that a point fetch at x reads; -1: the border colour.
int64_t nearest(const Image& i, float x) {
  Coordinates c;
  c.at[0] = x;
  const Footprint f = footprint(i, 1, c);
  REQUIRE(f.count == 1);
  return f.texel[0].inside ? int64_t(f.texel[0].x) : -1;
}

}  // namespace

TEST_CASE("texture sampler: a point fetch takes the texel that the coordinate lies in") {
  const Image i = row_of(4, SamplerSpec::clamp, false, false);
  CHECK(nearest(i, 0.0f) == 0);
  CHECK(nearest(i, 0.999f) == 0);
  CHECK(nearest(i, 1.0f) == 1);
  CHECK(nearest(i, 3.5f) == 3);
}

TEST_CASE("texture sampler: outside, the address mode says which texel is meant") {
  const Image clamp = row_of(4, SamplerSpec::clamp, false, false);
  CHECK(nearest(clamp, -3.0f) == 0);
  CHECK(nearest(clamp, 4.0f) == 3);
  CHECK(nearest(clamp, INFINITY) == 3);
  const Image border = row_of(4, SamplerSpec::border, false, false);
  CHECK(nearest(border, -0.001f) == -1);
  CHECK(nearest(border, 3.999f) == 3);
  CHECK(nearest(border, 4.0f) == -1);
  const Image wrap = row_of(4, SamplerSpec::wrap, false, true);
  CHECK(nearest(wrap, -0.125f) == 3);
  CHECK(nearest(wrap, 1.0f) == 0);
  CHECK(nearest(wrap, 2.375f) == 1);
  const Image mirror = row_of(4, SamplerSpec::mirror, false, true);
  CHECK(nearest(mirror, -0.125f) == 0);
  CHECK(nearest(mirror, 1.125f) == 3);
  CHECK(nearest(mirror, 1.875f) == 0);
}

TEST_CASE("texture sampler: a fetch knows whether its coordinate lies outside the image") {
  const auto outside = [](const Image& i, float x) {
    Coordinates c;
    c.at[0] = x;
    return footprint(i, 1, c).outside;
  };
  for (SamplerSpec::Address mode : {SamplerSpec::clamp, SamplerSpec::border})
    for (bool linear : {false, true}) {
      const Image i = row_of(4, mode, linear, false);
      CHECK_FALSE(outside(i, 0.0f));
      CHECK_FALSE(outside(i, 3.5f));
      CHECK(outside(i, -0.5f));
      CHECK(outside(i, 4.0f));
    }
  for (SamplerSpec::Address mode : {SamplerSpec::wrap, SamplerSpec::mirror}) {
    const Image i = row_of(4, mode, true, true);
    CHECK_FALSE(outside(i, 0.125f));
    CHECK_FALSE(outside(i, 0.875f));
    CHECK(outside(i, 1.125f));
    CHECK(outside(i, -0.125f));
  }
}

TEST_CASE("texture sampler: without normalised coordinates, wrap and mirror are clamp") {
  for (SamplerSpec::Address mode : {SamplerSpec::wrap, SamplerSpec::mirror}) {
    const Image i = row_of(4, mode, false, false);
    CHECK(nearest(i, -1.0f) == 0);
    CHECK(nearest(i, 5.0f) == 3);
  }
}

TEST_CASE("texture sampler: a linear fetch weighs two texels by a fraction of 8 bits") {
  const Image i = row_of(4, SamplerSpec::clamp, true, false);
  Coordinates c;
  c.at[0] = 1.75f;  // a quarter of the way from the middle of texel 1 to that of texel 2
  Footprint f = footprint(i, 1, c);
  REQUIRE(f.count == 2);
  CHECK(f.texel[0].x == 1);
  CHECK(f.texel[1].x == 2);
  CHECK(f.texel[0].weight == 192);
  CHECK(f.texel[1].weight == 64);
  std::set<int64_t> weights;
  for (int k = 0; k <= 4096; ++k) {
    c.at[0] = 1.5f + float(k) / 4096;
    f = footprint(i, 1, c);
    weights.insert(256 * f.texel[0].x + f.texel[1].weight);
  }
  CHECK(weights.size() == 257);
}

TEST_CASE("texture sampler: four texels of a plane have weights that add up to 256") {
  ArraySpec s;
  s.width = 4, s.height = 3;
  Image i = image_of(s, 0);
  i.sampler.linear = true;
  Coordinates c;
  c.at[0] = 0.25f, c.at[1] = 2.9f;  // beyond the middles of the first column and the last row
  const Footprint f = footprint(i, 2, c);
  REQUIRE(f.count == 4);
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    CHECK(f.texel[k].x == 0);
    CHECK(f.texel[k].y == 2);
    sum += f.texel[k].weight;
  }
  CHECK(sum == 256);
}

TEST_CASE("texture sampler: a layer beyond the last is the last") {
  ArraySpec s;
  s.width = 2, s.height = 2, s.depth = 3, s.layered = true;
  const Image i = image_of(s, 0);
  Coordinates c;
  c.layer = 100;
  CHECK(footprint(i, 2, c).texel[0].z == 2);
}

TEST_CASE("texture sampler: integers become floats from 0 to 1, or from -1 to 1") {
  ArraySpec s;
  s.width = 1;
  s.format = {8, 1, TexelFormat::unsigned_int};
  Image i = image_of(s, 0);
  i.sampler.to_float = true;
  const std::byte all = std::byte(255), least = std::byte(128);
  CHECK(std::bit_cast<float>(read_texel(i, &all).word[0]) == 1.0f);
  i.extent.format.kind = TexelFormat::signed_int;
  CHECK(std::bit_cast<float>(read_texel(i, &least).word[0]) == -1.0f);
  i.sampler.to_float = false;
  CHECK(int32_t(read_texel(i, &all).word[0]) == -1);
}

TEST_CASE("texture tiles: every byte of an array has a place of its own, and 128 bytes are 32 of four rows") {
  constexpr uint64_t width = 200, rows = 20;
  std::set<uint64_t> places;
  for (uint64_t y = 0; y < rows; ++y)
    for (uint64_t x = 0; x < width; ++x) places.insert(tile_address(0, x, y, width));
  CHECK(places.size() == width * rows);
  ArraySpec s;
  s.width = width / 4, s.height = rows;
  CHECK(*places.rbegin() < array_bytes(s));
  std::set<uint64_t> sectors, lines;
  for (uint64_t y = 0; y < 4; ++y)
    for (uint64_t x = 0; x < 32; ++x) {
      sectors.insert(tile_address(0, x, y, width) / 32);
      lines.insert(tile_address(0, x, y, width) / 128);
    }
  CHECK(sectors.size() == 4);
  CHECK(lines.size() == 1);
}

TEST_CASE("texture sampler: a row in border mode is a plane of one row, half of which is border") {
  Image i = row_of(4, SamplerSpec::border, true, false);
  Coordinates c;
  c.at[0] = 1.5f;  // the middle of texel 1
  const Footprint f = footprint(i, 1, c);
  int inside = 0;
  for (int k = 0; k < f.count; ++k) inside += f.texel[k].inside ? f.texel[k].weight : 0;
  CHECK(inside == 128);  // as an H100 does, tests/truth/textures.txt
}

TEST_CASE("texture sampler: floats are mixed at the place of the largest, halves to a half") {
  Image i = row_of(2, SamplerSpec::clamp, true, false);
  Footprint f;
  f.count = 2;
  f.texel[0].weight = f.texel[1].weight = 128;
  const float values[] = {1.0f, 0x1p-28f};  // the second lies beyond the 4 bits behind the first's
  Texel t[2];
  for (int k = 0; k < 2; ++k) t[k] = read_texel(i, reinterpret_cast<const std::byte*>(&values[k]));
  CHECK(std::bit_cast<float>(mix(i, f, t).word[0]) == 0.5f);
  i.extent.format = {16, 1, TexelFormat::floating};
  const uint16_t halves[] = {0x3c00, 0x3c01};  // 1 and the next half
  for (int k = 0; k < 2; ++k) t[k] = read_texel(i, reinterpret_cast<const std::byte*>(&halves[k]));
  CHECK(std::bit_cast<float>(mix(i, f, t).word[0]) == 1.0f + 0x1p-10f);
}

TEST_CASE("mipmaps: a level of detail picks levels, after the bias and within the sampler's bounds") {
  Image i = row_of(8, SamplerSpec::clamp, false, true);
  i.levels = 4;
  i.sampler.most_level = 3;
  CHECK(levels_at(i, 0.25f).first == 0);
  CHECK(levels_at(i, 0.75f).first == 1);
  CHECK(levels_at(i, 9).first == 3);
  CHECK(levels_at(i, -9).first == 0);
  CHECK(levels_at(i, NAN).first == 0);
  i.sampler.mip_linear = true;
  CHECK(levels_at(i, 1.25f).first == 1);
  CHECK(levels_at(i, 1.25f).second == 64);
  CHECK(levels_at(i, 3).second == 0);  // there is no fourth level
  i.sampler.bias = 0.5f;
  CHECK(levels_at(i, 1.25f).second == 192);
  i.sampler.most_level = 1.5f;
  CHECK(levels_at(i, 3).second == 128);
  i.sampler.least_level = 1;
  CHECK(levels_at(i, -3).first == 1);
}

TEST_CASE("mipmaps: the longer gradient, in texels of the first level, is the level of detail") {
  ArraySpec s;
  s.width = 8, s.height = 4;
  const Image i = image_of(s, 0);
  const float dx[] = {0.25f, 0}, dy[] = {0, 0.25f}, none[] = {0, 0}, both[] = {3.0f / 8, 1};
  CHECK(level_of_detail(i, 2, dx, dy) == 1);
  CHECK(level_of_detail(i, 2, none, dy) == 0);
  CHECK(level_of_detail(i, 2, both, none) == std::log2(4 + 3 * 11 / 32.0f));
  CHECK(level_of_detail(i, 2, none, none) < -1e30f);
}

TEST_CASE(
    "seamless cube maps: the weights of a fetch add up; at a corner three texels have them, one per face") {
  ArraySpec s;
  s.width = s.height = 4, s.depth = 6, s.cube = true;
  Image i = image_of(s, 0);
  i.sampler.linear = i.sampler.seamless = true;
  for (int corner = 0; corner < 8; ++corner)
    for (float nearly : {0.99f, 1.0f}) {
      Coordinates c;
      c.at[0] = corner & 1 ? 1.0f : -1.0f, c.at[1] = corner & 2 ? nearly : -nearly;
      c.at[2] = corner & 4 ? nearly : -nearly;
      const Footprint f = across_faces(i, on_face(i, c));
      REQUIRE(f.count == 3);
      std::set<uint32_t> faces;
      int weight = 0;
      for (int k = 0; k < 3; ++k) {
        faces.insert(f.texel[k].z);
        weight += f.texel[k].weight;
        CHECK((f.texel[k].x == 0 || f.texel[k].x == 3));
        CHECK((f.texel[k].y == 0 || f.texel[k].y == 3));
      }
      CHECK(weight == 256);
      CHECK(faces.size() == 3);
    }
}
