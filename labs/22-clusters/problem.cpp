// Blocks of a cluster. `options.kind`: "shape" (rank and cluster of each block), "columns" (sums of three
// rows), "sum", "histogram" (of samples below `params.values`), "many" (as many, told to the function),
// "softmax".
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::clusters_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

/// shape(rank, number, n): of each of n blocks, in clusters of `params.cluster_size`.
Instance shape(int64_t n, int64_t cluster_size) {
  Instance made;
  std::vector<double> rank, number;
  for (int64_t i = 0; i < n; ++i) {
    rank.push_back(double(i % cluster_size));
    number.push_back(double(i / cluster_size));
  }
  made.buffers = {output_buffer("rank", Elem::i32, {n}, std::move(rank), {0.0}),
                  output_buffer("number", Elem::i32, {n}, std::move(number), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// columns(in, out, rows, cols): out[y][x] = in[y - 1][x] + in[y][x] + in[y + 1][x], with zeros outside.
Instance columns(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {rows, cols}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < cols; ++x) {
      double sum = 0, magnitudes = 0;
      for (int64_t k = std::max<int64_t>(y - 1, 0); k <= std::min(y + 1, rows - 1); ++k) {
        sum += in[size_t(k * cols + x)];
        magnitudes += std::fabs(double(in[size_t(k * cols + x)]));
      }
      expected.push_back(sum);
      tolerance.push_back(std::ldexp(3 * magnitudes, -24));
    }
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {rows, cols}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(rows)), Arg::scalar(int32_t(cols))};
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.flops = 2.0 * double(rows * cols);
  made.tolerance_note = "3 * 2^-24 * sum |x|: two additions in any order";
  return made;
}

/// sum(in, out, n).
Instance sum(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  double total = 0;
  for (const float x : made.buffers[0].as<float>()) total += x;
  // Sums of up to n values of variance 1/3 are of the size sqrt(n / 3). Additions of blocks' sums to one word
  // round values of that size, and their rounding errors are independent.
  const double size_of_sums = 3 * std::sqrt(double(n) / 3) + 1, errors = 8 * std::sqrt(32 + double(n) / 256);
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {1}, {total}, {std::ldexp(errors * size_of_sums, -24)}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n);
  made.flops = double(n);
  made.tolerance_note =
      "8 sqrt(32 + n / 256) roundings of 2^-24 * (3 sqrt(n / 3) + 1), the size of a partial sum";
  return made;
}

/// histogram(data, bins, n) of samples below `values`; where `told`, histogram(data, bins, n, values).
Instance histogram(int64_t n, int64_t values, bool told, Random& random) {
  Buffer data;
  data.name = "data";
  data.elem = Elem::i32;
  data.shape = {n};
  data.data.resize(size_t(n) * 4);
  std::vector<double> bins(static_cast<size_t>(values));
  for (int32_t& x : data.as<int32_t>()) {
    // The sum of two dice of values / 2 faces: a triangle.
    const uint32_t faces = uint32_t(std::max<int64_t>(1, values / 2));
    x = int32_t(std::min<int64_t>(values - 1, random.below(faces) + random.below(faces)));
    ++bins[x];
  }
  Instance made;
  made.buffers = {std::move(data), output_buffer("bins", Elem::i32, {values}, std::move(bins), {0.0})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  if (told) made.args.push_back(Arg::scalar(int32_t(values)));
  made.ideal_bytes = 4.0 * double(n) + 4.0 * double(values);
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// softmax(in, out, rows, cols): of each row of floats, in [-8, 8). Of three rows one is 200 higher, so that
/// exponentials overflow without the maximum, and one 200 lower, so that a maximum that starts from 0 shows.
Instance softmax(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {rows, cols}, random, -8.0f, 8.0f)};
  const auto in = made.buffers[0].as<float>();
  for (int64_t i = 0; i < rows * cols; ++i)
    in[size_t(i)] += i / cols % 3 == 1 ? 200.0f : i / cols % 3 == 2 ? -200.0f : 0.0f;
  std::vector<double> expected(size_t(rows * cols)), tolerance;
  for (int64_t r = 0; r < rows; ++r) {
    const auto row = in.subspan(size_t(r * cols), size_t(cols));
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const float x : row) sum += std::exp(x - most);
    for (int64_t c = 0; c < cols; ++c) expected[size_t(r * cols + c)] = std::exp(row[size_t(c)] - most) / sum;
  }
  for (const double y : expected) tolerance.push_back(std::ldexp(y, -16));
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {rows, cols}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(rows)), Arg::scalar(int32_t(cols))};
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.tolerance_note = "2^-16 relative: exponential, sum and division in float";
  return made;
}

class Clusters : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const auto get = [&](const char* name) { return extent(step, size, name, kMost); };
    if (kind == "softmax") return softmax(get("rows"), get("cols"), random);
    if (kind == "columns") return columns(get("rows"), get("cols"), random);
    const int64_t n = get("n");
    Instance made;
    if (kind == "shape")
      made = shape(n, int64_t(step.params.at("cluster_size")));
    else if (kind == "sum")
      made = sum(n, random);
    else
      made = histogram(n, int64_t(step.params.at("values")), kind == "many", random);
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("clusters", Clusters);

}  // namespace
}  // namespace dojo::clusters_problem
