// Small kernels whose launch is the point. `options.kind`: "saxpy", "smooth" (mean of three neighbours),
// "filter" (16 weights), "pick" (one of forty values), "iterate" (64 multiply-adds one after the other).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::occupancy_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 27;
constexpr int kWeights = 16, kNumbers = 40, kRounds = 64;

/// saxpy(x, y, a, n): y = a x + y.
Instance saxpy(int64_t n, Random& random) {
  const float a = 0.75f;
  Instance made;
  made.buffers = {uniform_buffer("x", {n}, random, -1.0f, 1.0f),
                  uniform_buffer("y", {n}, random, -1.0f, 1.0f)};
  Buffer& y = made.buffers[1];
  y.role = Role::inout;
  for (size_t i = 0; i < size_t(n); ++i) {
    y.expected.push_back(double(a) * made.buffers[0].as<float>()[i] + y.as<float>()[i]);
    y.tolerance.push_back(0x1p-22);
  }
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(a), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 12.0 * double(n);
  made.flops = 2.0 * double(n);
  made.tolerance_note = "2^-22: one or two roundings of numbers below 2";
  return made;
}

/// smooth(in, out, n): the mean of in[i - 1], in[i], in[i + 1], with zeros past both ends.
Instance smooth(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  const auto x = made.buffers[0].as<float>();
  std::vector<double> expected;
  for (int64_t i = 0; i < n; ++i)
    expected.push_back(
        ((i > 0 ? double(x[size_t(i - 1)]) : 0) + x[size_t(i)] + (i + 1 < n ? x[size_t(i + 1)] : 0)) / 3);
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0x1p-21}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.flops = 3.0 * double(n);
  made.tolerance_note = "2^-21: three roundings of numbers below 3";
  return made;
}

/// filter(in, weights, out, n): out[i] is the sum of weights[k] * in[i + k]; in has n + 15 elements.
Instance filter(int64_t n, Random& random) {
  Instance made;
  const int64_t count = n == 0 ? 0 : n + kWeights - 1;
  made.buffers = {uniform_buffer("in", {count}, random, -1.0f, 1.0f),
                  uniform_buffer("weights", {kWeights}, random, -1.0f, 1.0f)};
  const auto x = made.buffers[0].as<float>(), weights = made.buffers[1].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0, magnitudes = 0;
    for (int k = 0; k < kWeights; ++k) {
      const double p = double(weights[size_t(k)]) * x[size_t(i + k)];
      sum += p;
      magnitudes += std::fabs(p);
    }
    expected.push_back(sum);
    tolerance.push_back(magnitudes * 2 * kWeights * 0x1p-24);
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + count);
  made.flops = 2.0 * kWeights * double(n);
  made.tolerance_note = "32 * 2^-24 * sum |w x|: 16 products and sums";
  return made;
}

/// pick(in, which, out, n): thread i's forty numbers in[i], in[n + i], ... less their mean; the one that
/// which[i] names.
Instance pick(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {kNumbers, n}, random, -1.0f, 1.0f)};
  const auto x = made.buffers[0].as<float>();
  Buffer which;
  which.name = "which";
  which.elem = Elem::i32;
  which.shape = {n};
  which.data.resize(size_t(n) * 4);
  std::vector<double> expected;
  for (size_t i = 0; i < size_t(n); ++i) {
    const auto w = int32_t(random.below(kNumbers));
    which.as<int32_t>()[i] = w;
    double mean = 0;
    for (size_t k = 0; k < kNumbers; ++k) mean += x[k * size_t(n) + i] / double(kNumbers);
    expected.push_back(x[size_t(w) * size_t(n) + i] - mean);
  }
  made.buffers.push_back(std::move(which));
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0x1p-18}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * (kNumbers + 2) * double(n);
  made.flops = (kNumbers + 2.0) * double(n);
  made.tolerance_note = "2^-18: forty roundings of sums below 40, over 40";
  return made;
}

/// iterate(in, out, n): 64 times x = 0.875 x + 0.0625.
Instance iterate(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1000.0f, 1000.0f)};
  std::vector<double> expected;
  for (double x : made.buffers[0].as<float>()) {
    for (int k = 0; k < kRounds; ++k) x = 0.875 * x + 0.0625;
    expected.push_back(x);
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0x1p-18}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.flops = 2.0 * kRounds * double(n);
  made.tolerance_note =
      "2^-18: each round's error shrinks by 7/8 a round, to eight roundings of numbers near 1";
  return made;
}

class OccupancyLab : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kind == "pick" ? kMost / 16 : kMost);
    Instance made = kind == "smooth"    ? smooth(n, random)
                    : kind == "filter"  ? filter(n, random)
                    : kind == "pick"    ? pick(n, random)
                    : kind == "iterate" ? iterate(n, random)
                                        : saxpy(n, random);
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("occupancy", OccupancyLab);

}  // namespace
}  // namespace dojo::occupancy_problem
