// Problems of the bank lab: a stride's conflict degree, a transpose, a reversal in chunks, rows less their
// maximum, a polynomial. `options.kind` picks one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::banks_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 27;  ///< elements of a buffer; every index fits an int

/// A copy of the bytes in another order has no rounding.
const char* const kExact = "0: the values are moved, not computed with";

/// banks(degrees, last, stride): the conflict degrees of strides 1 to 32, and where a chase over words
/// lane * stride ends: where it began, as every word points to itself.
Instance stride(int64_t stride) {
  std::vector<double> degrees, last;
  for (int64_t s = 1; s <= 32; ++s) degrees.push_back(double(std::gcd(s, int64_t(32))));
  for (int64_t lane = 0; lane < 32; ++lane) last.push_back(double(lane * stride));
  Instance made;
  made.buffers = {output_buffer("degrees", Elem::i32, {32}, std::move(degrees), {0.0}),
                  output_buffer("last", Elem::i32, {32}, std::move(last), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(stride))};
  made.ideal_bytes = 256;
  // Stride 0 is one word for all lanes: a broadcast.
  made.quantities = {{"stride", double(stride)},
                     {"degree", stride == 0 ? 1.0 : double(std::gcd(stride, int64_t(32)))}};
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// transpose(in, out, rows, cols): in [rows][cols], out [cols][rows].
Instance transpose(int64_t rows, int64_t cols, Random& random) {
  if (rows * cols > kMost) throw Error("the matrix is too large; the most is 2^27 elements");
  Buffer in = uniform_buffer("in", {rows, cols}, random, -1.0f, 1.0f);
  const auto x = in.as<float>();
  std::vector<double> expected(x.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) expected[size_t(c * rows + r)] = x[size_t(r * cols + c)];
  Instance made;
  made.buffers = {std::move(in), output_buffer("out", Elem::f32, {cols, rows}, std::move(expected), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(rows)), Arg::scalar(int32_t(cols))};
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.quantities = {{"rows", double(rows)}, {"cols", double(cols)}};
  made.tolerance_note = kExact;
  return made;
}

/// reverse(in, out, n): every chunk of `chunk` elements turned round, the last one at its own length.
Instance reverse(int64_t n, int64_t chunk, Random& random) {
  Buffer in = uniform_buffer("in", {n}, random, -1.0f, 1.0f);
  const auto x = in.as<float>();
  std::vector<double> expected(x.begin(), x.end());
  for (int64_t first = 0; first < n; first += chunk)
    std::reverse(expected.begin() + first, expected.begin() + std::min(n, first + chunk));
  Instance made;
  made.buffers = {std::move(in), output_buffer("out", Elem::f32, {n}, std::move(expected), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.quantities = {{"n", double(n)}, {"chunk", double(chunk)}};
  made.tolerance_note = kExact;
  return made;
}

/// subtract_max(in, out, rows, cols): every row less its largest element. Every second row is negative, so
/// that a maximum that starts from 0 shows.
Instance packs(int64_t rows, int64_t cols, Random& random) {
  if (cols % 4 != 0)
    throw Error("cols = " + std::to_string(cols) + " is not a multiple of 4, the size of a pack");
  if (rows * cols > kMost) throw Error("the matrix is too large; the most is 2^27 elements");
  Buffer in = uniform_buffer("in", {rows, cols}, random, -100.0f, 100.0f);
  const auto x = in.as<float>();
  for (int64_t i = 0; i < rows * cols; ++i)
    x[size_t(i)] -= float(i / cols % 3 * 300);  // no row can take its maximum from the one before or after
  std::vector<double> expected(x.size()), tolerance(x.size());
  for (int64_t r = 0; r < rows && cols > 0; ++r) {
    const double largest = *std::max_element(x.begin() + r * cols, x.begin() + (r + 1) * cols);
    for (auto i = size_t(r * cols); i < size_t((r + 1) * cols); ++i) {
      expected[i] = x[i] - largest;
      tolerance[i] = std::ldexp(std::fabs(expected[i]), -24);
    }
  }
  Instance made;
  made.buffers = {std::move(in),
                  output_buffer("out", Elem::f32, {rows, cols}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(rows)), Arg::scalar(int32_t(cols))};
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.flops = 2.0 * double(rows * cols);
  made.quantities = {{"rows", double(rows)}, {"cols", double(cols)}};
  made.tolerance_note = "2^-24 * |x - max|: the maximum is exact, the difference is rounded once";
  return made;
}

/// evaluate(in, coefficients, out, n): a polynomial with 32 coefficients, the lowest first.
Instance polynomial(int64_t n, Random& random) {
  constexpr int64_t terms = 32;
  Buffer in = uniform_buffer("in", {n}, random, -1.0f, 1.0f);
  Buffer coefficients = uniform_buffer("coefficients", {terms}, random, -1.0f, 1.0f);
  const auto x = in.as<float>(), c = coefficients.as<float>();
  std::vector<double> expected(x.size()), tolerance(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    double sum = 0, magnitudes = 0;
    for (int64_t k = terms - 1; k >= 0; --k) {
      sum = sum * x[i] + c[size_t(k)];
      magnitudes = magnitudes * std::fabs(double(x[i])) + std::fabs(double(c[size_t(k)]));
    }
    expected[i] = sum;
    tolerance[i] = std::ldexp(2.0 * terms * magnitudes, -24);
  }
  Instance made;
  made.buffers = {std::move(in), std::move(coefficients),
                  output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = n ? 8.0 * double(n) + 4.0 * terms : 0;
  made.flops = 2.0 * terms * double(n);
  made.quantities = {{"n", double(n)}};
  made.tolerance_note = "2 * 32 * 2^-24 * sum |c x^k|: Horner's rule rounds twice a term";
  return made;
}

class Banks : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const auto found = step.options.find("kind");
    const std::string kind = found == step.options.end() ? "" : found->second;
    if (kind == "stride") return stride(extent(step, size, "stride", 32));
    if (kind == "transpose")
      return transpose(extent(step, size, "rows", kMost), extent(step, size, "cols", kMost), random);
    if (kind == "packs")
      return packs(extent(step, size, "rows", kMost), extent(step, size, "cols", 8192), random);
    if (kind == "polynomial") return polynomial(extent(step, size, "n", kMost), random);
    if (kind == "reverse") {
      const auto chunk = step.params.find("chunk");
      return reverse(extent(step, size, "n", kMost),
                     chunk == step.params.end() ? 1024 : int64_t(chunk->second), random);
    }
    throw Error("lab.toml: banks has no problem of kind '" + kind + "'");
  }
};

DOJO_PROBLEM("banks", Banks);

}  // namespace
}  // namespace dojo::banks_problem
