// One number in (or two), one number out. `options.kind`: "add", "relu", "sigmoid", "half" (sigmoid on
// halves), "add-part" (elements from `first` on), "relu-half", "add-half".
#include <cmath>
#include <limits>

#include "core/problem_tools.hpp"

namespace dojo::elementwise_problem {
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

/// add(a, b, c, first, n): c = a + b for elements `first` to n - 1. The others of c keep their values. No
/// element `first` is at a multiple of 16 bytes.
Instance add_part(int64_t n, Random& random) {
  Instance made = add(n, random);
  const int64_t first = std::min<int64_t>(n, 4 * random.below(64) + 1 + random.below(3));
  Buffer& c = made.buffers[2];
  c = uniform_buffer("c", {n}, random, 2.0f, 3.0f);  // no sum is above 2
  c.role = Role::inout;
  const auto a = made.buffers[0].as<float>(), b = made.buffers[1].as<float>();
  for (size_t i = 0; i < size_t(n); ++i)
    c.expected.push_back(int64_t(i) < first ? c.as<float>()[i] : a[i] + b[i]);
  c.tolerance = {0.0};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(first)), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 12.0 * double(n - first);
  made.flops = double(n - first);
  made.quantities["first"] = double(first);
  return made;
}

Buffer halves(const char* name, const Buffer& wide) {
  Buffer b;
  b.name = name;
  b.elem = Elem::f16;
  b.shape = wide.shape;
  b.data.resize(size_t(wide.count()) * 2);
  size_t i = 0;
  for (float x : wide.as<float>()) b.as<uint16_t>()[i++] = float_to_half(x);
  return b;
}

/// relu(in, out, n) on halves.
Instance half_relu(int64_t n, Random& random) {
  Instance made;
  made.buffers = {halves("in", inputs(n, random))};
  std::vector<double> expected;
  for (uint16_t h : made.buffers[0].as<uint16_t>()) {
    const float x = half_to_float(h);
    expected.push_back(x < 0 ? 0 : x);
  }
  made.buffers.push_back(output_buffer("out", Elem::f16, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n);
  made.flops = double(n);
  made.tolerance_note = "0: nothing is rounded";
  return made;
}

/// add(a, b, c, n) on halves. A float has 24 bits, and 24 >= 2 x 11 + 2: so rounding the float sum to half
/// gives what rounding the exact sum once gives (S. A. Figueroa, "When is double rounding innocuous?", 1995).
Instance half_add(int64_t n, Random& random) {
  Instance made;
  made.buffers = {halves("a", inputs(n, random)), halves("b", uniform_buffer("b", {n}, random, -1.0f, 1.0f))};
  const auto a = made.buffers[0].as<uint16_t>(), b = made.buffers[1].as<uint16_t>();
  std::vector<double> expected;
  for (size_t i = 0; i < size_t(n); ++i)
    expected.push_back(half_to_float(float_to_half(half_to_float(a[i]) + half_to_float(b[i]))));
  made.buffers.push_back(output_buffer("c", Elem::f16, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 6.0 * double(n);
  made.flops = double(n);
  made.tolerance_note = "0: the sum is rounded to half once";
  return made;
}

class Elementwise : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made = kind == "add"         ? add(n, random)
                    : kind == "add-part"  ? add_part(n, random)
                    : kind == "add-half"  ? half_add(n, random)
                    : kind == "relu-half" ? half_relu(n, random)
                    : kind == "relu"      ? relu(n, random)
                    : kind == "half"      ? half_sigmoid(n, random)
                                          : sigmoid(n, random);
    if (made.args.empty()) {
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
}  // namespace dojo::elementwise_problem
