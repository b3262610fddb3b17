// Sums of floats: one partial sum a block, or one sum of all; the same in double; dot product; maximum.
// `options.kind` picks one: "partials" and "moments" (with params.elements_per_block), "sum", "double",
// "dot", "max".
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/problem_tools.hpp"

namespace dojo::reduce_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 30;  ///< elements: 4 GiB of floats, and every index fits an int

/// Adds up in long double what a kernel adds in float or double, and keeps what the tolerance needs.
struct Golden {
  long double sum = 0, magnitudes = 0, squares = 0, largest_total = 0;
  void add(long double x) {
    sum += x;
    magnitudes += std::fabs(x);
    squares += x * x;
    largest_total = std::max(largest_total, std::fabs(sum));
  }
};

/// Sum of n numbers: sums of 256 each in any order, and a running total over those. Rounding errors have no
/// common sign, so they add up like a random walk: each is at most u times what it rounds. Over the n/256
/// additions to the total that is sqrt(n/256) times its largest value; over the sums of 256, whose parts grow
/// like a random walk themselves, 16 sqrt(sum x^2). Eight times that is never reached, and far below any
/// element. (The worst case, u n sum|x|, would let a whole missing block pass.)
double walk_tolerance(const Golden& golden, int64_t n, int digits) {
  const double chain = std::sqrt(std::ceil(double(std::max<int64_t>(n, 1)) / 256));
  return 8 *
         std::ldexp(chain * double(golden.largest_total) + 16 * std::sqrt(double(golden.squares)), -digits);
}

/// Even seeds: whole numbers from -4 to 4, without 0. Their sums are exact in float in any order that isn't
/// made to break it, so one element too few or too many shows. Odd seeds: anything in [-1, 1), where rounding
/// shows.
Buffer values(const char* name, int64_t n, Random& random, bool whole) {
  Buffer b = uniform_buffer(name, {n}, random, -1.0f, 1.0f);
  if (whole)
    for (float& x : b.as<float>()) x = x < 0 ? std::floor(4 * x) : std::floor(4 * x) + 1;
  return b;
}

Instance partial_sums(int64_t n, int64_t per_block, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  const int64_t blocks = (n + per_block - 1) / per_block;
  std::vector<double> expected, tolerance;
  for (int64_t block = 0; block < blocks; ++block) {
    Golden golden;
    for (int64_t i = block * per_block; i < std::min(n, (block + 1) * per_block); ++i)
      golden.add(in[size_t(i)]);
    expected.push_back(double(golden.sum));
    tolerance.push_back(std::ldexp(double(per_block - 1) * double(golden.magnitudes), -24));
  }
  made.buffers.push_back(
      output_buffer("partials", Elem::f32, {blocks}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + blocks);
  made.tolerance_note =
      std::to_string(per_block - 1) + " x 2^-24 x sum|x| of the block: the additions in any order";
  return made;
}

/// moments(in, out, n): of each block the sum and the sum of squares.
Instance moments(int64_t n, int64_t per_block, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  const int64_t blocks = (n + per_block - 1) / per_block;
  std::vector<double> expected, tolerance;
  for (int64_t block = 0; block < blocks; ++block) {
    Golden golden;
    for (int64_t i = block * per_block; i < std::min(n, (block + 1) * per_block); ++i)
      golden.add(in[size_t(i)]);
    expected.insert(expected.end(), {double(golden.sum), double(golden.squares)});
    tolerance.insert(tolerance.end(), {std::ldexp(double(per_block - 1) * double(golden.magnitudes), -24),
                                       std::ldexp(double(per_block) * double(golden.squares), -24)});
  }
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {blocks, 2}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + 2 * blocks);
  made.tolerance_note = std::to_string(per_block - 1) + " x 2^-24 x sum|x| of the block, " +
                        std::to_string(per_block) + " x 2^-24 x sum x^2: additions in any order";
  return made;
}

Instance one_sum(int64_t n, int arrays, bool whole, Random& random) {
  Instance made;
  for (int a = 0; a < arrays; ++a) {
    const char* name = arrays == 1 ? "in" : a == 0 ? "a" : "b";
    made.buffers.push_back(values(name, n, random, whole));
    made.args.push_back(Arg::buf(a));
  }
  Golden golden;
  const auto a = made.buffers.front().as<float>(), b = made.buffers.back().as<float>();
  for (size_t i = 0; i < size_t(n); ++i) golden.add(arrays == 1 ? double(a[i]) : double(a[i]) * b[i]);
  const bool exact = whole && golden.largest_total < 0x1p22L;
  made.buffers.push_back(output_buffer("sum", Elem::f32, {1}, {double(golden.sum)},
                                       {exact ? 0.0 : walk_tolerance(golden, n, 24)}));
  made.args.push_back(Arg::buf(arrays));
  made.args.push_back(Arg::scalar(int32_t(n)));
  made.ideal_bytes = 4.0 * (double(n) * arrays + 1);
  made.tolerance_note = exact ? "0: sums of small whole numbers are exact"
                              : "8 x 2^-24 x (sqrt(n/256) x largest running total + 16 sqrt(sum x^2)): a "
                                "random walk of roundings";
  return made;
}

Instance double_sum(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer_f64("in", {n}, random, -1.0, 1.0)};
  Golden golden;
  for (double x : made.buffers[0].as<double>()) golden.add(x);
  made.buffers.push_back(
      output_buffer("sum", Elem::f64, {1}, {double(golden.sum)}, {walk_tolerance(golden, n, 53)}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * (double(n) + 1);
  made.tolerance_note =
      "8 x 2^-53 x (sqrt(n/256) x largest running total + 16 sqrt(sum x^2)): a random walk of roundings";
  return made;
}

/// Numbers between -2 and -1, times params.factor, plus params.shift. As they are, all are negative, so that
/// a version that fills up with zeros gets 0. The largest of none is minus infinity. Where it lies follows
/// from n, so that sizes find what a version leaves out: n % 8 of 0 to 3 is the place in a float4 in the
/// middle, and other n have it at the end.
Instance largest(int64_t n, const Step& step, Random& random) {
  const auto factor = float(step.params.at("factor")), shift = float(step.params.at("shift"));
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -2 * factor + shift, -factor + shift)};
  const auto in = made.buffers[0].as<float>();
  if (n > 0) {
    const int64_t place = n % 8 < 4 ? std::min(n / 8 * 4 + n % 8, n - 1) : n - 1;
    std::iter_swap(std::max_element(in.begin(), in.end()), in.begin() + place);
  }
  const double expected =
      n > 0 ? *std::max_element(in.begin(), in.end()) : -std::numeric_limits<double>::infinity();
  made.buffers.push_back(output_buffer("largest", Elem::f32, {1}, {expected}, {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + 1);
  made.tolerance_note = "0: the largest is one of the numbers";
  return made;
}

/// centre(in, out, n): every number less the mean of all.
Instance centred(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, 0.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  Golden golden;
  for (float x : in) golden.add(x);
  const double mean = n > 0 ? double(golden.sum) / double(n) : 0;
  std::vector<double> expected;
  for (float x : in) expected.push_back(x - mean);
  const double tolerance = n > 0 ? walk_tolerance(golden, n, 24) / double(n) + 0x1p-22 : 0;
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {tolerance}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.tolerance_note = "the error of the sum (a random walk of roundings) / n, and 2^-22 for the rest";
  return made;
}

class Reduce : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kind == "double" || kind == "dot" ? kMost / 2 : kMost);
    Random random(seed);
    const bool whole = seed % 2 == 0;
    Instance made = kind == "partials"
                        ? partial_sums(n, int64_t(step.params.at("elements_per_block")), random)
                    : kind == "moments" ? moments(n, int64_t(step.params.at("elements_per_block")), random)
                    : kind == "double"  ? double_sum(n, random)
                    : kind == "max"     ? largest(n, step, random)
                    : kind == "centred" ? centred(n, random)
                                        : one_sum(n, kind == "dot" ? 2 : 1, whole, random);
    made.flops = (kind == "moments" ? 3.0 : kind == "dot" || kind == "centred" ? 2.0 : 1.0) * double(n);
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("reduce", Reduce);

}  // namespace
}  // namespace dojo::reduce_problem
