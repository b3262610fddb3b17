// Sparse matrix times vector, y = A x, in float. A is square. `options.kind` says where its non-zeros are:
//   banded    columns i - params.reach to i + params.reach of row i
//   uniform   params.shortest to params.longest per row, in random columns
//   power     random rows have rows / 2, rows / 4, rows / 6, ... non-zeros (rounded up): Zipf's law
// `options.format`: "csr" (the default) or "ell".
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo {
namespace {

constexpr int64_t kMost = int64_t(1) << 22;

/// Compressed sparse rows: row i has entries start[i] to start[i + 1] - 1 of `column` and `value`.
struct Matrix {
  std::vector<int32_t> start = {0}, column;
  std::vector<float> value;
  int64_t rows() const { return int64_t(start.size()) - 1; }
  int64_t nonzeros() const { return int64_t(column.size()); }
  int64_t length(int64_t row) const { return start[size_t(row) + 1] - start[size_t(row)]; }
};

/// `count` different columns below n, ascending.
std::vector<int32_t> random_columns(int64_t count, int64_t n, Random& random) {
  std::vector<int32_t> chosen;
  if (count > n / 8) {
    for (int64_t c = 0; c < n; ++c)
      if (random.below(n - c) < count - int64_t(chosen.size())) chosen.push_back(int32_t(c));
    return chosen;
  }
  while (int64_t(chosen.size()) < count) {
    while (int64_t(chosen.size()) < count) chosen.push_back(int32_t(random.below(n)));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  return chosen;
}

std::vector<int32_t> band(int64_t row, int64_t reach, int64_t n) {
  std::vector<int32_t> columns;
  for (int64_t c = std::max<int64_t>(0, row - reach); c <= std::min(n - 1, row + reach); ++c)
    columns.push_back(int32_t(c));
  return columns;
}

/// The numbers 1 to n, shuffled: ranks of the rows by length.
std::vector<int64_t> ranks(int64_t n, Random& random) {
  std::vector<int64_t> rank;
  for (int64_t i = 0; i < n; ++i) {
    rank.push_back(i + 1);
    std::swap(rank.back(), rank[size_t(random.below(i + 1))]);
  }
  return rank;
}

Matrix matrix(const Step& step, int64_t n, Random& random) {
  const std::string kind = step.options.at("kind");
  const auto param = [&](const char* name) { return int64_t(step.params.at(name)); };
  const std::vector<int64_t> rank = kind == "power" ? ranks(n, random) : std::vector<int64_t>();
  Matrix a;
  for (int64_t row = 0; row < n; ++row) {
    std::vector<int32_t> columns;
    if (kind == "banded") {
      columns = band(row, param("reach"), n);
    } else if (kind == "uniform") {
      const int64_t length = param("shortest") + random.below(param("longest") - param("shortest") + 1);
      columns = random_columns(std::min(n, length), n, random);
    } else {
      const int64_t twice = 2 * rank[size_t(row)];
      columns = random_columns((n + twice - 1) / twice, n, random);
    }
    a.column.insert(a.column.end(), columns.begin(), columns.end());
    a.start.push_back(int32_t(a.column.size()));
  }
  for (int64_t k = 0; k < a.nonzeros(); ++k) a.value.push_back(random.uniform(-1, 1));
  return a;
}

Buffer ints(const char* name, const std::vector<int32_t>& from) {
  Buffer b;
  b.name = name;
  b.elem = Elem::i32;
  b.shape = {int64_t(from.size())};
  b.data.resize(from.size() * 4);
  if (!from.empty()) std::memcpy(b.data.data(), from.data(), b.data.size());
  return b;
}

Buffer floats(const char* name, const std::vector<float>& from) {
  Buffer b;
  b.name = name;
  b.elem = Elem::f32;
  b.shape = {int64_t(from.size())};
  b.data.resize(from.size() * 4);
  if (!from.empty()) std::memcpy(b.data.data(), from.data(), b.data.size());
  return b;
}

/// ELL: rows padded to `width` entries by zeros in column 0. Entry k of row i is at k * rows + i.
Matrix padded(const Matrix& a, int64_t width) {
  Matrix ell;
  ell.column.resize(size_t(a.rows() * width));
  ell.value.resize(size_t(a.rows() * width));
  for (int64_t i = 0; i < a.rows(); ++i)
    for (int64_t k = 0; k < a.length(i); ++k) {
      const size_t to = size_t(k * a.rows() + i), from = size_t(a.start[size_t(i)] + k);
      ell.column[to] = a.column[from];
      ell.value[to] = a.value[from];
    }
  return ell;
}

/// y = A x, and how far float may be off.
Buffer product(const Matrix& a, std::span<const float> x) {
  std::vector<double> y, tolerance;
  for (int64_t i = 0; i < a.rows(); ++i) {
    double sum = 0, magnitudes = 0;
    for (int32_t k = a.start[size_t(i)]; k < a.start[size_t(i) + 1]; ++k) {
      const double term = double(a.value[size_t(k)]) * x[size_t(a.column[size_t(k)])];
      sum += term;
      magnitudes += std::fabs(term);
    }
    y.push_back(sum);
    tolerance.push_back(std::ldexp(double(a.length(i) + 1) * magnitudes, -24));
  }
  return output_buffer("y", Elem::f32, {a.rows()}, std::move(y), std::move(tolerance));
}

class Sparse : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const int64_t rows = extent(step, size, "rows", kMost);
    const Matrix a = matrix(step, rows, random);
    int64_t longest = 0;
    for (int64_t i = 0; i < rows; ++i) longest = std::max(longest, a.length(i));
    Buffer x = uniform_buffer("x", {rows}, random, -1.0f, 1.0f);
    Buffer y = product(a, x.as<float>());
    Instance made;
    const double nonzeros = double(a.nonzeros());
    if (step.options.contains("format") && step.options.at("format") == "ell") {
      const Matrix ell = padded(a, longest);
      made.buffers = {ints("col", ell.column), floats("value", ell.value), std::move(x), std::move(y)};
      made.args = {Arg::buf(0),
                   Arg::buf(1),
                   Arg::buf(2),
                   Arg::buf(3),
                   Arg::scalar(int32_t(rows)),
                   Arg::scalar(int32_t(longest))};
      made.ideal_bytes = 8 * double(ell.nonzeros()) + 8 * double(rows);
    } else {
      made.buffers = {ints("row_start", a.start), ints("col", a.column), floats("value", a.value),
                      std::move(x), std::move(y)};
      made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2),
                   Arg::buf(3), Arg::buf(4), Arg::scalar(int32_t(rows))};
      made.ideal_bytes = 8 * nonzeros + 12 * double(rows) + 4;
    }
    made.flops = 2 * nonzeros;
    made.quantities["rows"] = double(rows);
    made.quantities["nonzeros"] = nonzeros;
    made.quantities["longest"] = double(longest);
    made.tolerance_note = "(L + 1) * 2^-24 * sum |a x|: a row of L terms has L roundings, in any order";
    return made;
  }
};

DOJO_PROBLEM("sparse", Sparse);

}  // namespace
}  // namespace dojo
