// Softmax of rows of halves and its relatives. `options.kind` picks one: "five" (scratch buffers for the five
// launches), "softmax", "float", "log", "fused", "backward", "layer_norm", "rms_norm",
// "cross_entropy".
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::softmax_problem {
namespace {

constexpr int64_t kMostElements = int64_t(1) << 31;
constexpr double kHalfUlp = 0x1p-11;   ///< relative rounding error of a half
constexpr double kTinyHalf = 0x1p-25;  ///< absolute: half of the smallest half
constexpr double kFloatError =
    0x1p-16;  ///< relative, for exp, sum and division in float: about 100 roundings
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Row = std::vector<double>;

/// Rows of halves in [-4, 4). With at least eight rows, seven are special: large values, all -inf (PyTorch: a
/// row of NaN), one NaN (a row of NaN), all equal, all far below 0 (a maximum that starts from 0 shows), and
/// two with one value far above the others, in the middle or at the end (a maximum of some of the values
/// shows).
Buffer rows_of_halves(const char* name, int64_t rows, int64_t cols, Random& random, bool special,
                      float large = 60000.0f) {
  Buffer b;
  b.name = name;
  b.elem = Elem::f16;
  b.shape = {rows, cols};
  b.data.resize(size_t(rows * cols) * 2);
  auto h = b.as<uint16_t>();
  for (uint16_t& v : h) v = float_to_half(random.uniform(-4.0f, 4.0f));
  if (special && rows >= 8 && cols > 0) {
    auto row = [&](int64_t r) { return h.subspan(size_t(r * cols), size_t(cols)); };
    for (uint16_t& v : row(1)) v = float_to_half(random.uniform(-large, large));
    for (uint16_t& v : row(2)) v = float_to_half(-std::numeric_limits<float>::infinity());
    row(3)[size_t(cols / 2)] = 0x7E00;
    for (uint16_t& v : row(4)) v = float_to_half(3.0f);
    for (uint16_t& v : row(5)) v = float_to_half(random.uniform(-2020.0f, -2000.0f));
    row(6)[size_t(cols / 3)] = float_to_half(300.0f);
    row(7)[size_t(cols - 1)] = float_to_half(300.0f);
  }
  return b;
}

Row values(const Buffer& b, int64_t row, int64_t cols) {
  Row v(static_cast<size_t>(cols));
  for (int64_t c = 0; c < cols; ++c) v[size_t(c)] = half_to_float(b.as<uint16_t>()[size_t(row * cols + c)]);
  return v;
}

/// The softmax of a row in double, and log of the sum of exponentials. A NaN anywhere, or nothing but -inf,
/// makes the whole row NaN.
Row softmax(const Row& x, double* largest, double* log_sum) {
  double m = -kInfinity, s = 0;
  bool nan = false;
  for (double v : x) {
    nan = nan || std::isnan(v);
    m = std::max(m, v);
  }
  Row y(x.size());
  for (double v : x) s += std::exp(v - m);
  for (size_t i = 0; i < x.size(); ++i) y[i] = nan ? std::nan("") : std::exp(x[i] - m) / s;
  *largest = m;
  *log_sum = nan ? std::nan("") : std::log(s);
  return y;
}

struct Golden {
  std::vector<double> expected, tolerance;
  void add(double value, double slack) {
    expected.push_back(value);
    tolerance.push_back(std::isfinite(slack) ? slack : 0);
  }
};

Instance forward(const Step& step, const std::string& kind, int64_t rows, int64_t cols, Random& random) {
  Instance made;
  // Differences of the logarithms must stay within a half.
  made.buffers.push_back(rows_of_halves("x", rows, cols, random, true, kind == "log" ? 30000.0f : 60000.0f));
  Golden golden;
  const bool five = kind == "five", log = kind == "log";
  for (int64_t r = 0; r < rows; ++r) {
    const Row x = values(made.buffers[0], r, cols);
    double m = 0, log_sum = 0;
    const Row y = softmax(x, &m, &log_sum);
    for (size_t i = 0; i < x.size(); ++i) {
      if (log) {
        const double v = x[i] - m - log_sum;
        golden.add(std::isnan(y[i]) ? y[i] : v,
                   std::fabs(v) * (kHalfUlp + kFloatError) + 0x1p-18 * (std::fabs(m) + 1));
      } else {
        // Five launches keep x - max, its exponential and the sum as halves: three more roundings, the first
        // of which is magnified by the exponential.
        const double halves = five ? kHalfUlp * (std::fabs(x[i] - m) + 3) + 0x1p-24 * double(x.size()) : 0;
        golden.add(y[i], y[i] * (kHalfUlp + kFloatError + halves) + kTinyHalf * (five ? 4 : 1.01));
      }
    }
  }
  made.buffers.push_back(
      output_buffer("y", Elem::f16, {rows, cols}, std::move(golden.expected), std::move(golden.tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1)};
  if (five) {
    for (const char* name : {"a", "b"})
      made.buffers.push_back(unchecked_output(name, Elem::f16, {rows, cols}));
    for (const char* name : {"largest", "sum"})
      made.buffers.push_back(unchecked_output(name, Elem::f16, {rows}));
    for (int i = 2; i < 6; ++i) made.args.push_back(Arg::buf(i));
  }
  (void)step;
  made.ideal_bytes = 4.0 * double(rows * cols);
  made.tolerance_note =
      five  ? "2^-11 relative for each of four values kept as halves, one of them magnified by exp"
      : log ? "2^-11 relative for the rounding to half, 2^-18 of the maximum for float"
            : "2^-11 relative for the rounding to half, 2^-16 for float inside";
  return made;
}

/// The same on floats, whose tolerance is far below a half's last digit.
Instance forward_float(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  const Buffer halves = rows_of_halves("x", rows, cols, random, true);
  Buffer x = uniform_buffer("x", {rows, cols}, random, -0.0005f, 0.0005f);  // digits that a half doesn't have
  for (size_t i = 0; i < size_t(rows * cols); ++i)
    x.as<float>()[i] += half_to_float(halves.as<uint16_t>()[i]);
  made.buffers.push_back(std::move(x));
  Golden golden;
  for (int64_t r = 0; r < rows; ++r) {
    const auto in = made.buffers[0].as<float>().subspan(size_t(r * cols), size_t(cols));
    double m = 0, log_sum = 0;
    for (double v : softmax(Row(in.begin(), in.end()), &m, &log_sum)) golden.add(v, v * 0x1p-15 + 0x1p-126);
  }
  made.buffers.push_back(
      output_buffer("y", Elem::f32, {rows, cols}, std::move(golden.expected), std::move(golden.tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1)};
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.tolerance_note =
      "2^-15 relative: __expf of x - max, which is known to 2^-24 of itself, up to 104 below 0";
  return made;
}

Instance fused(int64_t rows, int64_t cols, Random& random) {
  const float scale = 0.125f, rescale = 1.25f;
  Instance made;
  made.buffers.push_back(rows_of_halves("x", rows, cols, random, true));
  auto flags = [&](const char* name, int64_t one_in) {
    Buffer b;
    b.name = name;
    b.elem = Elem::u8;
    b.shape = {rows, cols};
    b.data.resize(size_t(rows * cols));
    for (uint8_t& v : b.as<uint8_t>()) v = random.below(one_in) != 0;
    return b;
  };
  made.buffers.push_back(flags("mask", 4));
  made.buffers.push_back(flags("keep", 5));
  Golden golden;
  for (int64_t r = 0; r < rows; ++r) {
    Row x = values(made.buffers[0], r, cols);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = made.buffers[1].as<uint8_t>()[size_t(r * cols) + i] ? x[i] * scale : -kInfinity;
    double m = 0, log_sum = 0;
    const Row y = softmax(x, &m, &log_sum);
    for (size_t i = 0; i < x.size(); ++i) {
      const double v = made.buffers[2].as<uint8_t>()[size_t(r * cols) + i] ? y[i] * rescale : 0;
      golden.add(v, std::fabs(v) * (kHalfUlp + kFloatError) + kTinyHalf * 1.01);
    }
  }
  made.buffers.push_back(
      output_buffer("y", Elem::f16, {rows, cols}, std::move(golden.expected), std::move(golden.tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::buf(3)};
  made.ideal_bytes = 6.0 * double(rows * cols);
  made.tolerance_note = "2^-11 relative for the rounding to half, 2^-16 for float inside";
  return made;
}

Instance backward(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  Buffer logits = rows_of_halves("x", rows, cols, random, false);
  Buffer y = rows_of_halves("y", rows, cols, random, false);
  for (int64_t r = 0; r < rows; ++r) {
    double m = 0, log_sum = 0;
    const Row row = softmax(values(logits, r, cols), &m, &log_sum);
    for (int64_t c = 0; c < cols; ++c)
      y.as<uint16_t>()[size_t(r * cols + c)] = float_to_half(float(row[size_t(c)]));
  }
  made.buffers.push_back(std::move(y));
  made.buffers.push_back(rows_of_halves("dy", rows, cols, random, false));
  Golden golden;
  for (int64_t r = 0; r < rows; ++r) {
    const Row a = values(made.buffers[0], r, cols), b = values(made.buffers[1], r, cols);
    double dot = 0, magnitudes = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      dot += a[i] * b[i];
      magnitudes += std::fabs(a[i] * b[i]);
    }
    for (size_t i = 0; i < a.size(); ++i) {
      const double v = a[i] * (b[i] - dot);
      golden.add(v, std::fabs(v) * kHalfUlp + a[i] * magnitudes * kFloatError +
                        a[i] * std::fabs(b[i]) * 0x1p-22 + kTinyHalf * 1.01);
    }
  }
  made.buffers.push_back(
      output_buffer("dx", Elem::f16, {rows, cols}, std::move(golden.expected), std::move(golden.tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2)};
  made.ideal_bytes = 6.0 * double(rows * cols);
  made.tolerance_note = "2^-11 relative for the rounding to half, 2^-16 of sum|y dy| for the float sum";
  return made;
}

/// cross_entropy(x, label, log_p, loss, rows, cols): loss[r] = log(sum over c of exp(x[r][c])) -
/// x[r][label[r]]. log_p [rows][cols] is scratch.
Instance cross_entropy(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  made.buffers.push_back(rows_of_halves("x", rows, cols, random, true));
  Buffer label;
  label.name = "label";
  label.elem = Elem::i32;
  label.shape = {rows};
  label.data.resize(size_t(rows) * 4);
  for (int32_t& v : label.as<int32_t>()) v = cols > 0 ? int32_t(random.below(cols)) : 0;
  Golden golden;
  for (int64_t r = 0; r < rows && cols > 0; ++r) {
    const Row x = values(made.buffers[0], r, cols);
    double m = 0, log_sum = 0;
    softmax(x, &m, &log_sum);
    const double v = x[size_t(label.as<int32_t>()[size_t(r)])];
    golden.add(m + log_sum - v, 0x1p-18 * (std::fabs(m) + std::fabs(v) + std::fabs(log_sum) + 1));
  }
  made.buffers.push_back(std::move(label));
  made.buffers.push_back(unchecked_output("log_p", Elem::f32, {rows, cols}));
  made.buffers.push_back(cols > 0 ? output_buffer("loss", Elem::f32, {rows}, std::move(golden.expected),
                                                  std::move(golden.tolerance))
                                  : unchecked_output("loss", Elem::f32, {rows}));
  for (int i = 0; i < 4; ++i) made.args.push_back(Arg::buf(i));
  made.ideal_bytes = 2.0 * double(rows * cols) + 8.0 * double(rows);
  made.tolerance_note =
      "2^-18 of max, label's value and logarithm: float sums of exponentials, then two additions";
  return made;
}

Instance norm(bool layer, int64_t rows, int64_t cols, Random& random) {
  const float eps = 1e-5f;
  Instance made;
  made.buffers.push_back(uniform_buffer("x", {rows, cols}, random, -2.0f, 3.0f));
  made.buffers.push_back(uniform_buffer("gamma", {cols}, random, 0.5f, 1.5f));
  if (layer) made.buffers.push_back(uniform_buffer("beta", {cols}, random, -1.0f, 1.0f));
  auto x = made.buffers[0].as<float>();
  if (layer && rows >= 4)  // a row far from zero: E[x^2] - mean^2 would lose its digits here
    for (int64_t c = 0; c < cols; ++c) x[size_t(3 * cols + c)] += 4096.0f;
  if (rows >= 8)  // rows of which eps decides: zeros, and a variance near eps
    for (int64_t c = 0; c < cols; ++c) x[size_t(5 * cols + c)] = 0.0f, x[size_t(6 * cols + c)] *= 0x1p-9f;
  const auto gamma = made.buffers[1].as<float>();
  Golden golden;
  for (int64_t r = 0; r < rows; ++r) {
    double mean = 0, squares = 0, largest = 0;
    for (int64_t c = 0; c < cols; ++c) {
      mean += x[size_t(r * cols + c)];
      largest = std::max(largest, std::fabs(double(x[size_t(r * cols + c)])));
    }
    mean = layer ? mean / double(cols) : 0;
    for (int64_t c = 0; c < cols; ++c)
      squares += (x[size_t(r * cols + c)] - mean) * (x[size_t(r * cols + c)] - mean);
    const double scale = 1 / std::sqrt(squares / double(cols) + eps);
    for (int64_t c = 0; c < cols; ++c) {
      const double shift = layer ? made.buffers[2].as<float>()[size_t(c)] : 0;
      const double v = (x[size_t(r * cols + c)] - mean) * scale * gamma[size_t(c)];
      // The mean is known to some 2^-22 of the largest element; everything else is relative to the result.
      golden.add(v + shift, std::fabs(v) * 0x1p-18 + std::fabs(shift) * 0x1p-22 + largest * scale * 0x1p-21);
    }
  }
  made.buffers.push_back(
      output_buffer("y", Elem::f32, {rows, cols}, std::move(golden.expected), std::move(golden.tolerance)));
  for (int i = 0; i < int(made.buffers.size()); ++i) made.args.push_back(Arg::buf(i));
  made.ideal_bytes = 8.0 * double(rows * cols);
  made.tolerance_note = "2^-18 relative, and 2^-21 of the row's largest element for the mean";
  return made;
}

class Softmax : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const auto found = step.options.find("kind");
    const std::string kind = found == step.options.end() ? "softmax" : found->second;
    const int64_t rows = extent(step, size, "rows", int64_t(1) << 24),
                  cols = extent(step, size, "cols", int64_t(1) << 20);
    if (const auto most = step.params.find("most_cols");
        most != step.params.end() && double(cols) > most->second)
      throw Error(step.id() + " takes at most " + std::to_string(int64_t(most->second)) + " columns");
    if (const auto of = step.params.find("cols_multiple_of");
        of != step.params.end() && cols % int64_t(of->second) != 0)
      throw Error(step.id() + " takes a number of columns that is a multiple of " +
                  std::to_string(int64_t(of->second)));
    if (rows * cols > kMostElements) throw Error("rows x cols is at most 2^31 for " + step.id());

    Instance made = kind == "float"           ? forward_float(rows, cols, random)
                    : kind == "fused"         ? fused(rows, cols, random)
                    : kind == "backward"      ? backward(rows, cols, random)
                    : kind == "cross_entropy" ? cross_entropy(rows, cols, random)
                    : kind == "layer_norm"    ? norm(true, rows, cols, random)
                    : kind == "rms_norm"      ? norm(false, rows, cols, random)
                                              : forward(step, kind, rows, cols, random);
    made.args.push_back(Arg::scalar(int32_t(rows)));
    made.args.push_back(Arg::scalar(int32_t(cols)));
    if (kind == "fused") {
      made.args.push_back(Arg::scalar(0.125f));
      made.args.push_back(Arg::scalar(1.25f));
    }
    if (kind == "layer_norm" || kind == "rms_norm") made.args.push_back(Arg::scalar(1e-5f));
    made.flops = 5.0 * double(rows * cols);
    made.quantities = {{"rows", double(rows)}, {"cols", double(cols)}, {"d", double(rows * cols)}};
    return made;
  }
};

DOJO_PROBLEM("softmax", Softmax);

}  // namespace
}  // namespace dojo::softmax_problem
