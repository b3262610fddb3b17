// Matrix products, row by row in memory. `options.kind` picks one: float (C = A B), half (D = A B + C, half
// in, float out), sgemv (y = A x), int8 (C = A B, bytes in, ints out), int4 (y = W x with packed weights),
// tf32 (float, with a tolerance for factors of 10 bits).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::matmul_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 27;       ///< elements of a matrix; every index fits an int
constexpr int64_t kFullCheck = int64_t(1) << 31;  ///< products up to which every element is checked
constexpr int64_t kSample = 4096;                 ///< elements checked beyond that

std::string option(const Step& step, const char* name, const char* otherwise) {
  const auto it = step.options.find(name);
  return it == step.options.end() ? otherwise : it->second;
}

Buffer half_buffer(std::string name, std::vector<int64_t> shape, Random& random) {
  Buffer b;
  b.name = std::move(name);
  b.elem = Elem::f16;
  b.shape = std::move(shape);
  b.data.resize(size_t(b.count()) * 2);
  for (uint16_t& h : b.as<uint16_t>()) h = float_to_half(random.uniform(-1.0f, 1.0f));
  return b;
}

/// The elements of a matrix in double, whatever it is stored as.
std::vector<double> values(const Buffer& b) {
  std::vector<double> v(size_t(b.count()));
  if (b.elem == Elem::f16)
    for (size_t i = 0; i < v.size(); ++i) v[i] = half_to_float(b.as<uint16_t>()[i]);
  else
    for (size_t i = 0; i < v.size(); ++i) v[i] = b.as<float>()[i];
  return v;
}

/// One element of A B with its sum of magnitudes.
struct Element {
  double sum = 0, magnitudes = 0;
};
Element element(const Buffer& A, const Buffer& B, int64_t row, int64_t col, int64_t m, int64_t k) {
  Element e;
  const bool half = A.elem == Elem::f16;
  for (int64_t p = 0; p < k; ++p) {
    const auto at = size_t(row * k + p), bt = size_t(p * m + col);
    const double a = half ? half_to_float(A.as<uint16_t>()[at]) : A.as<float>()[at];
    const double b = half ? half_to_float(B.as<uint16_t>()[bt]) : B.as<float>()[bt];
    e.sum += a * b;
    e.magnitudes += std::fabs(a * b);
  }
  return e;
}

/// Float sums of k products, in any order: (k + 1) * 2^-24 of the magnitudes. Tensor cores may cut off
/// instead of rounding, twice that: (k + 2) * 2^-23.
double tolerance_of(bool half, int64_t k, double magnitudes) {
  return std::ldexp(magnitudes * double(k + (half ? 2 : 1)), half ? -23 : -24) + 0x1p-149;
}

/// All of A B (+ C) and the tolerances, row by row so that the inner loop runs along memory.
void multiply(const Buffer& A, const Buffer& B, const Buffer* C, int64_t n, int64_t m, int64_t k,
              std::vector<double>& sums, std::vector<double>& tolerance) {
  const std::vector<double> a = values(A), b = values(B);
  sums.assign(size_t(n * m), 0.0);
  tolerance.assign(size_t(n * m), 0.0);
  for (int64_t i = 0; i < n; ++i) {
    double* s = sums.data() + i * m;
    double* t = tolerance.data() + i * m;
    if (C)
      for (int64_t j = 0; j < m; ++j) {
        s[j] = C->as<float>()[size_t(i * m + j)];
        t[j] = std::fabs(s[j]);
      }
    for (int64_t p = 0; p < k; ++p) {
      const double x = a[size_t(i * k + p)];
      const double* row = b.data() + p * m;
      for (int64_t j = 0; j < m; ++j) {
        s[j] += x * row[j];
        t[j] += std::fabs(x * row[j]);
      }
    }
    for (int64_t j = 0; j < m; ++j) t[j] = tolerance_of(C != nullptr, k, t[j]);
  }
}

Instance matmul(const Step& step, const Size& size, Random& random, bool half) {
  const int64_t n = extent(step, size, "n", 65536), m = extent(step, size, "m", 65536),
                k = extent(step, size, "k", 65536);
  if (n * k > kMost || k * m > kMost || n * m > kMost)
    throw Error("a matrix is too large for " + step.id() + "; the most is 2^27 elements each");
  Instance made;
  Buffer A = half ? half_buffer("A", {n, k}, random) : uniform_buffer("A", {n, k}, random, -1.0f, 1.0f);
  Buffer B = half ? half_buffer("B", {k, m}, random) : uniform_buffer("B", {k, m}, random, -1.0f, 1.0f);
  Buffer C = half ? uniform_buffer("C", {n, m}, random, -1.0f, 1.0f) : Buffer{};
  std::vector<double> expected, tolerance;
  const bool all = n * m == 0 || n * m * k <= kFullCheck;
  if (all) multiply(A, B, half ? &C : nullptr, n, m, k, expected, tolerance);
  made.buffers = {std::move(A), std::move(B)};
  if (half) made.buffers.push_back(std::move(C));
  const char* result = half ? "D" : "C";
  made.buffers.push_back(
      all ? output_buffer(result, Elem::f32, {n, m}, std::move(expected), std::move(tolerance))
          : unchecked_output(result, Elem::f32, {n, m}));
  for (size_t i = 0; i < made.buffers.size(); ++i) made.args.push_back(Arg::buf(int(i)));
  for (int64_t v : {n, m, k}) made.args.push_back(Arg::scalar(int32_t(v)));
  const double in = half ? 2 : 4, work = double(n) * double(m) * double(k);
  made.ideal_bytes = n && m ? in * double(n * k + k * m) + (half ? 8.0 : 4.0) * double(n * m) : 0;
  made.flops = 2.0 * work + (half ? double(n * m) : 0);
  made.quantities = {{"n", double(n)}, {"m", double(m)}, {"k", double(k)}};
  made.tolerance_note =
      half ? "(k + 2) * 2^-23 * (sum |a b| + |c|): products of halves are exact, float sums may be cut off"
           : "(k + 1) * 2^-24 * sum |a b|: a float sum of k rounded products in any order";
  if (!all) made.tolerance_note += "; at this size 4096 elements are checked, chosen at random";
  return made;
}

Instance sgemv(const Step& step, const Size& size, Random& random) {
  const int64_t n = extent(step, size, "n", kMost), k = extent(step, size, "k", 65536);
  if (n * k > kMost) throw Error("the matrix is too large for " + step.id() + "; the most is 2^27 elements");
  Instance made;
  Buffer A = uniform_buffer("A", {n, k}, random, -1.0f, 1.0f),
         x = uniform_buffer("x", {k}, random, -1.0f, 1.0f);
  std::vector<double> expected(static_cast<size_t>(n)), tolerance(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const Element e = element(A, x, i, 0, 1, k);
    expected[size_t(i)] = e.sum;
    tolerance[size_t(i)] = tolerance_of(false, k, e.magnitudes);
  }
  made.buffers = {std::move(A), std::move(x),
                  output_buffer("y", Elem::f32, {n}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n)), Arg::scalar(int32_t(k))};
  made.ideal_bytes = n ? 4.0 * double(n * k + k + n) : 0;
  made.flops = 2.0 * double(n) * double(k);
  made.quantities = {{"n", double(n)}, {"k", double(k)}};
  made.tolerance_note = "(k + 1) * 2^-24 * sum |a x|: a float sum of k rounded products in any order";
  return made;
}

Buffer bytes(std::string name, std::vector<int64_t> shape, Random& random) {
  Buffer b;
  b.name = std::move(name);
  b.elem = Elem::i8;
  b.shape = std::move(shape);
  b.data.resize(size_t(b.count()));
  for (int8_t& v : b.as<int8_t>()) v = int8_t(random.below(256) - 128);
  return b;
}

/// matmul(A, B, C, n, m, k) on signed bytes, with sums in int. Whole numbers are exact in double. The last
/// row of A and the last column of B are all -127, but for one -126 where k is even, so that their product is
/// odd: beyond k = 1040 it is no float.
Instance matmul_of_bytes(const Step& step, const Size& size, Random& random) {
  // k: a sum of products up to 2^14 must fit an int.
  const int64_t n = extent(step, size, "n", 65536), m = extent(step, size, "m", 65536),
                k = extent(step, size, "k", 131071);
  if (n * k > kMost || k * m > kMost || n * m > kMost)
    throw Error("a matrix is too large for " + step.id() + "; the most is 2^27 elements each");
  Instance made;
  made.buffers = {bytes("A", {n, k}, random), bytes("B", {k, m}, random)};
  for (int64_t p = 0; n && m && p < k; ++p) {
    made.buffers[0].as<int8_t>()[size_t((n - 1) * k + p)] = -127;
    made.buffers[1].as<int8_t>()[size_t(p * m + m - 1)] = -127;
  }
  if (n && m && k && k % 2 == 0) made.buffers[0].as<int8_t>()[size_t(n * k - 1)] = -126;
  const auto a = made.buffers[0].as<int8_t>(), b = made.buffers[1].as<int8_t>();
  std::vector<double> expected(static_cast<size_t>(n * m));
  std::vector<int32_t> sums(static_cast<size_t>(m));
  for (int64_t i = 0; i < n; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int64_t p = 0; p < k; ++p) {
      const int32_t x = a[size_t(i * k + p)];
      const int8_t* row = b.data() + p * m;
      for (int64_t j = 0; j < m; ++j) sums[size_t(j)] += x * row[j];
    }
    std::copy(sums.begin(), sums.end(), expected.begin() + i * m);
  }
  made.buffers.push_back(output_buffer("C", Elem::i32, {n, m}, std::move(expected), {0.0}));
  for (int i = 0; i < 3; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {n, m, k}) made.args.push_back(Arg::scalar(int32_t(v)));
  made.ideal_bytes = n && m ? double(n * k + k * m) + 4.0 * double(n * m) : 0;
  made.flops = 2.0 * double(n) * double(m) * double(k);
  made.quantities = {{"n", double(n)}, {"m", double(m)}, {"k", double(k)}};
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// matmul(A, B, C, n, m, k) on floats, of which some are beyond the largest half. The tolerance allows
/// factors that are rounded to 10 bits behind the point, as tensor cores want them.
Instance matmul_in_tf32(const Step& step, const Size& size, Random& random) {
  const int64_t n = extent(step, size, "n", 65536), m = extent(step, size, "m", 65536),
                k = extent(step, size, "k", 65536);
  if (n * k > kMost || k * m > kMost || n * m > kMost)
    throw Error("a matrix is too large for " + step.id() + "; the most is 2^27 elements each");
  Instance made;
  Buffer A = uniform_buffer("A", {n, k}, random, -1.0f, 1.0f);
  Buffer B = uniform_buffer("B", {k, m}, random, -1.0f, 1.0f);
  for (size_t i = 5; i < A.as<float>().size(); i += 61) A.as<float>()[i] *= 0x1p20f;
  std::vector<double> expected, tolerance;
  multiply(A, B, nullptr, n, m, k, expected, tolerance);
  // multiply() gives (k + 1) 2^-24 of the magnitudes. Two roundings of 2^-11 come first, and tensor cores may
  // cut off sums instead of rounding.
  const double wider = (0x1p-10 + double(k + 2) * 0x1p-23) / (double(k + 1) * 0x1p-24);
  for (double& t : tolerance) t *= wider;
  made.buffers = {std::move(A), std::move(B),
                  output_buffer("C", Elem::f32, {n, m}, std::move(expected), std::move(tolerance))};
  for (int i = 0; i < 3; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {n, m, k}) made.args.push_back(Arg::scalar(int32_t(v)));
  made.ideal_bytes = n && m ? 4.0 * double(n * k + k * m + n * m) : 0;
  made.flops = 2.0 * double(n) * double(m) * double(k);
  made.quantities = {{"n", double(n)}, {"m", double(m)}, {"k", double(k)}};
  made.tolerance_note =
      "(2^-10 + (k + 2) * 2^-23) * sum |a b|: both factors rounded to TF32, and float sums that may be cut "
      "off";
  return made;
}

/// sgemv(packed, scale, x, y, rows, cols): weight c of a row is scale[row][c / 32] * (v - 8), where v is the
/// four bits from 4 * (c % 8) on of packed[row][c / 8].
Instance sgemv_of_nibbles(const Step& step, const Size& size, Random& random) {
  const int64_t rows = extent(step, size, "rows", kMost), cols = extent(step, size, "cols", 65536);
  if (cols % 32 != 0)
    throw Error("cols = " + std::to_string(cols) +
                " is not a multiple of 32, the weights that share a scale");
  if (rows * cols > kMost)
    throw Error("the matrix is too large for " + step.id() + "; the most is 2^27 weights");
  Instance made;
  Buffer packed;
  packed.name = "packed";
  packed.elem = Elem::u32;
  packed.shape = {rows, cols / 8};
  packed.data.resize(size_t(packed.count()) * 4);
  for (uint32_t& word : packed.as<uint32_t>()) word = uint32_t(random.next());
  made.buffers = {std::move(packed), uniform_buffer("scale", {rows, cols / 32}, random, 0.01f, 0.1f),
                  uniform_buffer("x", {cols}, random, -1.0f, 1.0f)};
  const auto words = made.buffers[0].as<uint32_t>();
  const auto scale = made.buffers[1].as<float>(), x = made.buffers[2].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0, magnitudes = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const int v = int(words[size_t((r * cols + c) / 8)] >> (4 * (c % 8)) & 15) - 8;
      const double term = double(scale[size_t((r * cols + c) / 32)]) * v * x[size_t(c)];
      sum += term;
      magnitudes += std::fabs(term);
    }
    expected.push_back(sum);
    tolerance.push_back(std::ldexp(magnitudes * double(cols + 3), -24));
  }
  made.buffers.push_back(output_buffer("y", Elem::f32, {rows}, std::move(expected), std::move(tolerance)));
  for (int i = 0; i < 4; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {rows, cols}) made.args.push_back(Arg::scalar(int32_t(v)));
  made.ideal_bytes = rows ? double(rows * cols) * 0.625 + 4.0 * double(rows + cols) : 0;
  made.flops = 2.0 * double(rows * cols);
  made.quantities = {{"rows", double(rows)}, {"cols", double(cols)}};
  made.tolerance_note = "(cols + 3) * 2^-24 * sum |w x|: a float sum in any order, weights rounded or not";
  return made;
}

class Matmul : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = option(step, "kind", "float");
    if (kind == "sgemv") return sgemv(step, size, random);
    if (kind == "int8") return matmul_of_bytes(step, size, random);
    if (kind == "tf32") return matmul_in_tf32(step, size, random);
    if (kind == "int4") return sgemv_of_nibbles(step, size, random);
    if (kind == "float" || kind == "half") return matmul(step, size, random, kind == "half");
    throw Error("lab.toml: matmul has no problem of kind '" + kind + "'");
  }

  /// Beyond 2^31 products the golden result would take longer than the lesson: a sample is checked instead.
  CheckReport check(const Step& step, const Instance& made, const Outputs& out) const override {
    const Buffer& result = made.buffers.back();
    if (!result.expected.empty() || result.count() == 0) return Problem::check(step, made, out);
    const auto& bytes = out.buffers.back();
    if (bytes.size() != size_t(result.count()) * sizeof(float)) return Problem::check(step, made, out);
    const bool half = made.buffers.size() == 4;
    const int64_t n = result.shape[0], m = result.shape[1], k = made.buffers[0].shape[1];
    Random random(uint64_t(n) * 31 + uint64_t(m) * 17 + uint64_t(k));
    Buffer golden = output_buffer(result.name, Elem::f32, {kSample}, {}, {});
    std::vector<int64_t> places;
    std::vector<std::byte> got(size_t(kSample) * sizeof(float));
    for (int64_t s = 0; s < kSample; ++s) {
      // The corners always, the rest at random.
      const int64_t row = s == 0   ? 0
                          : s == 1 ? n - 1
                                   : random.below(n),
                    col = s == 0   ? 0
                          : s == 1 ? m - 1
                                   : random.below(m);
      Element e = element(made.buffers[0], made.buffers[1], row, col, m, k);
      const int64_t place = row * m + col;
      if (half) {
        const double c = made.buffers[2].as<float>()[size_t(place)];
        e.sum += c;
        e.magnitudes += std::fabs(c);
      }
      places.push_back(place);
      golden.expected.push_back(e.sum);
      golden.tolerance.push_back(tolerance_of(half, k, e.magnitudes));
      std::memcpy(got.data() + s * 4, bytes.data() + place * 4, 4);
    }
    CheckReport report;
    report.tolerance_note = made.tolerance_note;
    compare(report, golden, got);
    for (Mismatch& wrong : report.mismatches) wrong.index = places[size_t(wrong.index)];
    return report;
  }
};

DOJO_PROBLEM("matmul", Matmul);

}  // namespace
}  // namespace dojo::matmul_problem
