// Filters of an image of w x h floats, row by row. `options.kind` picks one:
//   blur       blur(in, weights, out, w, h): nine weights in host memory, the border repeated
//   resize     resize(in, out, w, h, new_w, new_h): bilinear, pixel centres at halves, the border repeated
//   diffuse    diffuse(in, out, w, h): in + (left + right + above + below - 4 in) / 8 on a torus
//   twice      blur_twice(in, weights, out, w, h): the blur of the blur
//   bilateral  bilateral(in, out, w, h): 5 x 5, weights by distance and by difference of value
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::textures_problem {
namespace {

constexpr int64_t kMostSide = int64_t(1) << 14, kMostPixels = int64_t(1) << 26;

struct Picture {
  int64_t w = 0, h = 0;
  std::vector<double> at;
  Picture(int64_t width, int64_t height) : w(width), h(height), at(size_t(width * height)) {}
  double& operator()(int64_t x, int64_t y) { return at[size_t(y * w + x)]; }
  double clamped(int64_t x, int64_t y) const {
    return at[size_t(std::clamp<int64_t>(y, 0, h - 1) * w + std::clamp<int64_t>(x, 0, w - 1))];
  }
  double wrapped(int64_t x, int64_t y) const { return at[size_t((y + h) % h * w + (x + w) % w)]; }
};

Picture picture_of(const Buffer& b, int64_t w, int64_t h) {
  Picture p(w, h);
  const auto from = b.as<float>();
  std::copy(from.begin(), from.end(), p.at.begin());
  return p;
}

/// Values from 0 to 1 with steps between neighbours: noise over a coarse pattern.
Buffer image(int64_t w, int64_t h, Random& random) {
  Buffer b = uniform_buffer("in", {h, w}, random, 0.0f, 0.25f);
  const auto v = b.as<float>();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) v[size_t(y * w + x)] += float((x / 5 + y / 3) % 4) * 0.25f;
  return b;
}

Picture blurred(const Picture& in, std::span<const float> weight) {
  Picture out(in.w, in.h);
  for (int64_t y = 0; y < in.h; ++y)
    for (int64_t x = 0; x < in.w; ++x) {
      double sum = 0;
      for (int64_t k = 0; k < 9; ++k)
        sum += double(weight[size_t(k)]) * in.clamped(x + k % 3 - 1, y + k / 3 - 1);
      out(x, y) = sum;
    }
  return out;
}

double sum_of(std::span<const float> v) {
  double sum = 0;
  for (float x : v) sum += double(std::fabs(x));
  return sum;
}

struct Made {
  Picture out;
  double tolerance;
  std::string note;
};

/// Bilinear in double. The tolerance is that of a texture's linear filter. The CUDA C++ Programming Guide
/// gives its fractions 8 bits; an H100 rounds the weight of T11 to a 256th, too (tests/truth/textures.txt).
/// If that weight is a * b + e, those of T10 and T01 have e less and that of T00 has e more: the four add up
/// to 1. T00 - T10 - T01 + T11 is at most 1 in the pattern of image(), and noise below 0.25 adds at most 0.5.
Made resized(const Picture& in, int64_t w, int64_t h) {
  Picture out(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const double u = (double(x) + 0.5) * double(in.w) / double(w) - 0.5,
                   v = (double(y) + 0.5) * double(in.h) / double(h) - 0.5;
      const double a = u - std::floor(u), b = v - std::floor(v);
      const auto i = int64_t(std::floor(u)), j = int64_t(std::floor(v));
      out(x, y) = (1 - a) * (1 - b) * in.clamped(i, j) + a * (1 - b) * in.clamped(i + 1, j) +
                  (1 - a) * b * in.clamped(i, j + 1) + a * b * in.clamped(i + 1, j + 1);
    }
  return {std::move(out), 7 * 0x1p-10 + double(std::max(in.w, in.h)) * 0x1p-21,
          "7 * 2^-10 + max(w, h) * 2^-21: fractions a and b have 8 bits, each off by at most 2^-9, times "
          "neighbours that differ by at most 1; the weight a * b has 8 bits, too, off by at most 2^-9, times "
          "T00 - T10 - T01 + T11, at most 1.5; and coordinates are floats"};
}

Made diffused(const Picture& in) {
  Picture out(in.w, in.h);
  for (int64_t y = 0; y < in.h; ++y)
    for (int64_t x = 0; x < in.w; ++x)
      out(x, y) = in.wrapped(x, y) + (in.wrapped(x - 1, y) + in.wrapped(x + 1, y) + in.wrapped(x, y - 1) +
                                      in.wrapped(x, y + 1) - 4 * in.wrapped(x, y)) /
                                         8;
  return {std::move(out), 8 * 0x1p-23, "8 * 2^-23: six roundings of sums below 4"};
}

Made bilateral(const Picture& in) {
  Picture out(in.w, in.h);
  for (int64_t y = 0; y < in.h; ++y)
    for (int64_t x = 0; x < in.w; ++x) {
      const double centre = in.clamped(x, y);
      double sum = 0, weights = 0;
      for (int64_t dy = -2; dy <= 2; ++dy)
        for (int64_t dx = -2; dx <= 2; ++dx) {
          const double v = in.clamped(x + dx, y + dy), d = v - centre;
          const double weight = std::exp(-double(dx * dx + dy * dy) / 8 - d * d * 8);
          sum += weight * v, weights += weight;
        }
      out(x, y) = sum / weights;
    }
  return {std::move(out), 0x1p-17,
          "2^-17: 25 weights of at most 1, each exp within 2^-20 where it is approximate"};
}

class Textures : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const int64_t w = extent(step, size, "w", kMostSide), h = extent(step, size, "h", kMostSide);
    if (w * h > kMostPixels) throw Error("w times h is too large; the most is 2^26");
    if ((w == 0) != (h == 0)) throw Error("w and h must both be 0, or neither");
    Instance made;
    made.buffers.push_back(image(w, h, random));
    made.args.push_back(Arg::buf(0));
    const Picture in = picture_of(made.buffers[0], w, h);
    int64_t new_w = w, new_h = h;
    Made golden{Picture(0, 0), 0, {}};
    if (kind == "blur" || kind == "twice") {
      Buffer weights = uniform_buffer("weights", {9}, random, -0.25f, 0.25f);
      weights.as<float>()[4] = 1.0f;
      weights.host = true;
      const double sum = sum_of(weights.as<float>());
      golden.out = blurred(in, weights.as<float>());
      golden.tolerance = 10 * sum * 0x1p-24 * 1.25;
      golden.note =
          "10 * 2^-24 * 1.25 * sum |weights|: nine products and sums, in any order, of values below 1.25";
      if (kind == "twice") {
        golden.out = blurred(golden.out, weights.as<float>());
        golden.tolerance *= 2 * sum;
        golden.note += "; twice, the first error scaled by the second filter";
      }
      made.buffers.push_back(std::move(weights));
      made.args.push_back(Arg::buf(1));
      made.flops = 17.0 * double(w * h) * (kind == "twice" ? 2 : 1);
    } else if (kind == "resize") {
      new_w = w * step.params.at("out_w") / step.params.at("in");
      new_h = h * step.params.at("out_h") / step.params.at("in");
      golden = resized(in, new_w, new_h);
      made.flops = 8.0 * double(new_w * new_h);
    } else if (kind == "diffuse") {
      golden = diffused(in);
      made.flops = 6.0 * double(w * h);
    } else {
      golden = bilateral(in);
      made.flops = 25 * 8.0 * double(w * h);
    }
    made.buffers.push_back(
        output_buffer("out", Elem::f32, {new_h, new_w}, std::move(golden.out.at), {golden.tolerance}));
    made.args.push_back(Arg::buf(int(made.buffers.size()) - 1));
    made.args.push_back(Arg::scalar(int32_t(w)));
    made.args.push_back(Arg::scalar(int32_t(h)));
    if (kind == "resize") {
      made.args.push_back(Arg::scalar(int32_t(new_w)));
      made.args.push_back(Arg::scalar(int32_t(new_h)));
    }
    made.ideal_bytes = 4 * double(w * h + new_w * new_h);
    made.quantities["pixels"] = double(new_w * new_h);
    made.quantities["n"] = double(w * h);
    made.tolerance_note = golden.note;
    return made;
  }
};

DOJO_PROBLEM("textures", Textures);

}  // namespace
}  // namespace dojo::textures_problem
