// One number in (or two), one number out. `options.kind`: "add", "relu", "sigmoid", "half" (sigmoid on
// halves).
#include <cmath>
#include <limits>

#include "core/problem_tools.hpp"

namespace dojo {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

Instance add(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("a", {n}, random, -1.0f, 1.0f),
                  uniform_buffer("b", {n}, random, -1.0f, 1.0f)};
  const auto a = made.buffers[0].as<float>(), b = made.buffers[1].as<float>();
  std::vector<double> expected;
  for (size_t i = 0; i < size_t(n); ++i) expected.push_back(a[i] + b[i]);  // the float sum: rounded once
  made.buffers.push_back(output_buffer("c", Elem::f32, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 12.0 * double(n);
  made.flops = double(n);
  made.tolerance_note = "0: one addition is rounded in one way only";
  return made;
}

/// Numbers in [-8, 8), and every so often one that is large, infinite or none.
Buffer inputs(int64_t n, Random& random) {
  static constexpr float inf = std::numeric_limits<float>::infinity();
  static constexpr float special[] = {
      -0.0f, 0.0f, 100.0f, -100.0f, inf, -inf, std::numeric_limits<float>::quiet_NaN()};
  Buffer in = uniform_buffer("in", {n}, random, -8.0f, 8.0f);
  size_t i = 0;
  for (float& x : in.as<float>()) {
    if (i % 97 == 13) x = special[i / 97 % std::size(special)];
    ++i;
  }
  return in;
}

Instance relu(int64_t n, Random& random) {
  Instance made;
  made.buffers = {inputs(n, random)};
  std::vector<double> expected;
  for (float x : made.buffers[0].as<float>()) expected.push_back(x < 0 ? 0 : x);  // not a number stays none
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0.0}));
  made.tolerance_note = "0: nothing is rounded";
  return made;
}

double exact_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Instance sigmoid(int64_t n, Random& random) {
  Instance made;
  made.buffers = {inputs(n, random)};
  std::vector<double> expected, tolerance;
  for (float x : made.buffers[0].as<float>()) {
    const double y = exact_sigmoid(x);
    expected.push_back(y);
    // exp of an argument that was rounded once: |x| ulp more. Below 2^-126 a float may be flushed to 0.
    tolerance.push_back(std::isfinite(x) ? y * std::ldexp(8 + 2 * std::fabs(double(x)), -23) + 0x1p-126
                                         : 0.0);
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance)));
  made.flops = 4.0 * double(n);
  made.tolerance_note =
      "(8 + 2|x|) 2^-23 of the result: exp, whose argument is rounded, an addition and a division";
  return made;
}

Instance half_sigmoid(int64_t n, Random& random) {
  Instance made;
  const Buffer wide = inputs(n, random);
  Buffer in;
  in.name = "in";
  in.elem = Elem::f16;
  in.shape = {n};
  in.data.resize(size_t(n) * 2);
  std::vector<double> expected, tolerance;
  size_t i = 0;
  for (float x : wide.as<float>()) {
    const uint16_t h = float_to_half(x);
    in.as<uint16_t>()[i++] = h;
    const double y = exact_sigmoid(half_to_float(h));
    expected.push_back(y);
    tolerance.push_back(y * 1.125 * 0x1p-11 + 0x1p-24);
  }
  made.buffers = {std::move(in),
                  output_buffer("out", Elem::f16, {n}, std::move(expected), std::move(tolerance))};
  made.flops = 4.0 * double(n);
  made.tolerance_note =
      "1.125 x 2^-11 of the result: one rounding to half, and an eighth of that for what came before";
  return made;
}

class Elementwise : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made = kind == "add"    ? add(n, random)
                    : kind == "relu" ? relu(n, random)
                    : kind == "half" ? half_sigmoid(n, random)
                                     : sigmoid(n, random);
    if (kind != "add") {
      made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
      made.ideal_bytes = (kind == "half" ? 4.0 : 8.0) * double(n);
      if (kind == "relu") made.flops = double(n);
    }
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("elementwise", Elementwise);

}  // namespace
}  // namespace dojo
