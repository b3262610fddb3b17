// Histograms of bytes and sums over a sliding window. `options.kind`: "text" (half of the bytes are blanks),
// "runs" (values that repeat), "window" (sums of `params.window` neighbours).
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::privatisation_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

/// histogram(data, bins, n): how often each of the 256 byte values occurs.
Instance histogram(int64_t n, bool runs, Random& random) {
  Buffer data;
  data.name = "data";
  data.elem = Elem::u8;
  data.shape = {n};
  data.data.resize(size_t(n));
  std::vector<double> bins(256);
  int64_t left = 0;
  uint8_t value = 0;
  for (uint8_t& b : data.as<uint8_t>()) {
    if (left-- <= 0) {
      left = runs ? random.below(1024) : 0;
      // Text: a blank every other time, else mostly small letters, and now and then anything.
      value = uint8_t(runs                    ? random.below(256)
                      : random.below(2) == 0  ? 32
                      : random.below(16) == 0 ? random.below(256)
                                              : 97 + random.below(26));
    }
    b = value;
    ++bins[b];
  }
  Instance made;
  made.buffers = {std::move(data), output_buffer("bins", Elem::i32, {256}, std::move(bins), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = double(n) + 1024;
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// window_sum(in, out, n): out[i] is the sum of in[i] to in[i + window - 1]; in has n + window - 1 elements.
Instance sums(int64_t n, int64_t window, Random& random) {
  Instance made;
  const int64_t count = n == 0 ? 0 : n + window - 1;
  made.buffers = {uniform_buffer("in", {count}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0, magnitudes = 0;
    for (int64_t k = 0; k < window; ++k) {
      sum += in[size_t(i + k)];
      magnitudes += std::fabs(double(in[size_t(i + k)]));
    }
    expected.push_back(sum);
    tolerance.push_back(std::ldexp(double(window) * magnitudes, -24));
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + count);
  made.flops = double(n * window);
  made.tolerance_note = "window * 2^-24 * sum |x|: the additions in any order";
  return made;
}

class Privatisation : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Instance made = kind == "window" ? sums(n, int64_t(step.params.at("window")), random)
                                     : histogram(n, kind == "runs", random);
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("privatisation", Privatisation);

}  // namespace
}  // namespace dojo::privatisation_problem
