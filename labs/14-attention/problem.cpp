// Attention over n tokens of 64 numbers a head: out = softmax(Q K^T / 8) V. `options.kind`: "full",
// "stored" (with a scratch buffer for the scores), "causal" (no key after the query), "window" (of those the
// last `params.window`), "decode" (one query per head, which sees all n keys), "half" (full, halves in and
// out; d numbers a head, 64 or the extent `d`).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::attention_problem {
namespace {

constexpr int64_t kDim = 64, kMost = 1 << 16;
constexpr int64_t kFullCheck = int64_t(1)
                               << 31;  ///< products of a half problem up to which each row is checked
constexpr int64_t kRows = 512;         ///< rows that are checked beyond that

/// One row of the result and what each of its elements may be off by.
struct Row {
  std::vector<double> expected, tolerance;
};

/// Halves in, scores and sums in float on tensor cores, weights rounded to half, a half out.
Row row_of_halves(const std::vector<double>& q, const std::vector<double>& k, const std::vector<double>& v,
                  int64_t i, int64_t n, int64_t d) {
  const int64_t head = i / n * n;
  const double factor = 1 / std::sqrt(double(d));
  std::vector<double> score(static_cast<size_t>(n));
  double largest = -1e300, magnitude = 0, total = 0;
  for (int64_t j = 0; j < n; ++j) {
    double dot = 0, sum = 0;
    for (int64_t c = 0; c < d; ++c) {
      const double p = q[size_t(i * d + c)] * k[size_t((head + j) * d + c)];
      dot += p;
      sum += std::fabs(p);
    }
    score[size_t(j)] = dot * factor;
    largest = std::max(largest, dot * factor);
    magnitude = std::max(magnitude, sum * factor);
  }
  for (double& s : score) total += s = std::exp(s - largest);
  // A score is known to d sums that may be cut off, an exponential to 2^-14, a weight to half a half's last
  // place: 2^-11 of it, or 2^-25 where the largest weight is 1.
  const double slack = double(d + 2) * 0x1p-23 * magnitude + 0x1p-14 + 0x1p-11;
  Row row{std::vector<double>(size_t(d)), std::vector<double>(size_t(d), 0x1p-25)};
  for (int64_t j = 0; j < n; ++j)
    for (int64_t c = 0; c < d; ++c) {
      const double x = v[size_t((head + j) * d + c)], p = score[size_t(j)] / total;
      row.expected[size_t(c)] += p * x;
      row.tolerance[size_t(c)] += (2 * slack * p + 0x1p-25 / total) * std::fabs(x);
    }
  for (int64_t c = 0; c < d; ++c) row.tolerance[size_t(c)] += 0x1p-11 * std::fabs(row.expected[size_t(c)]);
  return row;
}

std::vector<double> values(const Buffer& b) {
  std::vector<double> all;
  for (const uint16_t h : b.as<uint16_t>()) all.push_back(half_to_float(h));
  return all;
}

/// Gives every 50th query, from the `first` on, scores of about -150, so that a maximum that starts from 0
/// shows, and a masked score that is finite: in component 0 all keys are 1, and such a query is -150 sqrt(d).
/// `name`: q, k, or another buffer, which stays.
template <class T, class AsElement>
void lower_scores(std::span<T> rows, char name, int64_t d, int64_t first, AsElement as_element) {
  const int64_t n = int64_t(rows.size()) / d;
  if (name == 'k')
    for (int64_t i = 0; i < n; ++i) rows[size_t(i * d)] = as_element(1.0f);
  if (name == 'q')
    for (int64_t i = first; i < n; i += 50) rows[size_t(i * d)] = as_element(-150.0f * std::sqrt(float(d)));
}

/// attention(q, k, v, out, n, heads), and d behind it where the step's size has one.
Instance attention_on_halves(const Step& step, const Size& size, Random& random) {
  const bool has_d = size.count("d") > 0;
  const int64_t n = extent(step, size, "n", kMost), heads = extent(step, size, "heads", 1024),
                d = has_d ? extent(step, size, "d", 128) : kDim;
  if (d != 64 && d != 128)
    throw Error("d = " + std::to_string(d) + " for " + step.id() + "; it takes 64 or 128");
  if (heads * n * d > int64_t(1) << 27) throw Error("heads x n x d is at most 2^27 for " + step.id());
  Instance made;
  for (const char* name : {"q", "k", "v"}) {
    Buffer b;
    b.name = name;
    b.elem = Elem::f16;
    b.shape = {heads, n, d};
    b.data.resize(size_t(b.count()) * 2);
    int64_t at = 0;
    for (uint16_t& h : b.as<uint16_t>()) {
      const bool large = *name == 'q' && at++ / d % 50 == 7;  // exp of such a query's scores would overflow
      h = float_to_half(random.uniform(-1.0f, 1.0f) * (large ? 256.0f : 1.0f));
    }
    lower_scores(b.as<uint16_t>(), *name, d, 5, [](float v) { return float_to_half(v); });
    made.buffers.push_back(std::move(b));
  }
  made.tolerance_note =
      "of sum |p v|: 2 x ((d + 2) x 2^-23 of the largest sum |q k| / sqrt(d), 2^-14 for exp, 2^-11 for a "
      "weight "
      "in half), "
      "and 2^-11 for the result in half";
  if (heads * n * n * d <= kFullCheck) {
    const auto q = values(made.buffers[0]), k = values(made.buffers[1]), v = values(made.buffers[2]);
    std::vector<double> expected, tolerance;
    for (int64_t i = 0; i < heads * n; ++i) {
      const Row row = row_of_halves(q, k, v, i, n, d);
      expected.insert(expected.end(), row.expected.begin(), row.expected.end());
      tolerance.insert(tolerance.end(), row.tolerance.begin(), row.tolerance.end());
    }
    made.buffers.push_back(
        output_buffer("out", Elem::f16, {heads, n, d}, std::move(expected), std::move(tolerance)));
  } else {
    made.buffers.push_back(unchecked_output("out", Elem::f16, {heads, n, d}));
    made.tolerance_note += "; at this size 512 rows are checked, chosen at random";
  }
  for (int i = 0; i < 4; ++i) made.args.push_back(Arg::buf(i));
  made.args.push_back(Arg::scalar(int32_t(n)));
  made.args.push_back(Arg::scalar(int32_t(heads)));
  if (has_d) made.args.push_back(Arg::scalar(int32_t(d)));
  made.ideal_bytes = 8.0 * double(heads * n * d);
  made.flops = 4.0 * double(d) * double(heads * n) * double(n);
  made.quantities = {{"n", double(n)}, {"heads", double(heads)}, {"d", double(d)}};
  return made;
}

class Attention : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    if (kind == "half") return attention_on_halves(step, size, random);
    const int64_t n = extent(step, size, "n", kMost), heads = extent(step, size, "heads", 1024);
    if (heads * n * std::max(n, kDim) > int64_t(1) << 31)
      throw Error("heads x n x n is at most 2^31 for " + step.id());
    const auto found = step.params.find("window");
    const int64_t window = found == step.params.end() ? n : int64_t(found->second);
    const int64_t queries = kind == "decode" ? 1 : n;  // per head
    if (kind == "decode" && n == 0)
      throw Error(step.id() + " needs at least one key: the mean of no values has no result");
    Instance made;
    for (const char* name : {"q", "k", "v"})
      made.buffers.push_back(
          uniform_buffer(name, {heads, *name == 'q' ? queries : n, kDim}, random, -1.0f, 1.0f));
    // Some queries are large, so that the maximum matters: exp of their scores would overflow.
    auto q = made.buffers[0].as<float>();
    for (int64_t i = kind == "decode" ? 1 : 7; i < heads * queries; i += 50)
      for (int64_t c = 0; c < kDim; ++c) q[size_t(i * kDim + c)] *= 256.0f;
    lower_scores(q, 'q', kDim, kind == "decode" ? 0 : 5, [](float v) { return v; });
    lower_scores(made.buffers[1].as<float>(), 'k', kDim, 0, [](float v) { return v; });
    const auto k = made.buffers[1].as<float>(), v = made.buffers[2].as<float>();

    std::vector<double> expected(size_t(heads * queries * kDim)), tolerance(expected.size()),
        score(size_t(heads * n));
    double pairs = 0;
    for (int64_t i = 0; i < heads * queries; ++i) {
      // Rows of all heads are numbered in one go; keys are those of the query's head.
      const int64_t head = i / queries * n;
      const int64_t last = kind == "causal" || kind == "window" ? i : head + n - 1;
      const int64_t first = kind == "window" ? std::max<int64_t>(head, i - window + 1) : head;
      double largest = -1e300, magnitude = 0;
      for (int64_t j = first; j <= last; ++j) {
        double dot = 0, sum = 0;
        for (int64_t c = 0; c < kDim; ++c) {
          const double p = double(q[size_t(i * kDim + c)]) * k[size_t(j * kDim + c)];
          dot += p;
          sum += std::fabs(p);
        }
        score[size_t(j)] = dot / 8;
        largest = std::max(largest, dot / 8);
        magnitude = std::max(magnitude, sum / 8);
      }
      double total = 0;
      for (int64_t j = first; j <= last; ++j) total += std::exp(score[size_t(j)] - largest);
      // A score is known to 64 roundings of its terms, and so is, relatively, its exponential.
      const double slack = 64 * 0x1p-24 * magnitude + 0x1p-14;
      for (int64_t j = first; j <= last; ++j) {
        const double p = std::exp(score[size_t(j)] - largest) / total;
        for (int64_t c = 0; c < kDim; ++c) {
          const double x = p * v[size_t(j * kDim + c)];
          expected[size_t(i * kDim + c)] += x;
          tolerance[size_t(i * kDim + c)] += 4 * slack * std::fabs(x) + 0x1p-40;
        }
      }
      pairs += double(last - first + 1);
    }
    made.buffers.push_back(
        output_buffer("out", Elem::f32, {heads, queries, kDim}, std::move(expected), std::move(tolerance)));
    made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::buf(3)};
    if (kind == "stored") {
      made.buffers.push_back(unchecked_output("scores", Elem::f32, {heads, n, n}));
      made.args.push_back(Arg::buf(4));
    }
    made.args.push_back(Arg::scalar(int32_t(n)));
    made.args.push_back(Arg::scalar(int32_t(heads)));
    made.ideal_bytes = 8.0 * double(heads * (n + queries) * kDim);
    made.flops = 4.0 * kDim * pairs;
    made.tolerance_note =
        "of sum |p v|: 4 x (64 x 2^-24 of the largest sum |q k| / 8, and 2^-14 for exp and the sums)";
    made.quantities = {{"n", double(n)}, {"heads", double(heads)}, {"d", double(kDim)}};
    return made;
  }

  /// Beyond kFullCheck the golden result of halves would take longer than the lesson: kRows rows are checked,
  /// one of each kRows-th part of them.
  CheckReport check(const Step& step, const Instance& made, const Outputs& out) const override {
    const Buffer& result = made.buffers.back();
    const auto& bytes = out.buffers.back();
    if (result.elem != Elem::f16 || !result.expected.empty() || result.count() == 0 ||
        bytes.size() != size_t(result.count()) * 2)
      return Problem::check(step, made, out);
    const int64_t n = result.shape[1], d = result.shape[2], rows = result.shape[0] * n;
    const auto q = values(made.buffers[0]), k = values(made.buffers[1]), v = values(made.buffers[2]);
    Random random(uint64_t(rows) * 31 + uint64_t(d));
    Buffer golden = output_buffer(result.name, Elem::f16, {kRows, d}, {}, {});
    std::vector<int64_t> checked;
    std::vector<std::byte> got;
    for (int64_t part = 0; part < kRows; ++part) {
      const int64_t first = rows * part / kRows, count = rows * (part + 1) / kRows - first;
      const int64_t i = part == 0 ? 0 : part == kRows - 1 ? rows - 1 : first + random.below(count);
      const Row row = row_of_halves(q, k, v, i, n, d);
      golden.expected.insert(golden.expected.end(), row.expected.begin(), row.expected.end());
      golden.tolerance.insert(golden.tolerance.end(), row.tolerance.begin(), row.tolerance.end());
      got.insert(got.end(), bytes.begin() + i * d * 2, bytes.begin() + (i + 1) * d * 2);
      checked.push_back(i);
    }
    CheckReport report;
    report.tolerance_note = made.tolerance_note;
    compare(report, golden, got);
    for (Mismatch& wrong : report.mismatches)
      wrong.index = checked[size_t(wrong.index / d)] * d + wrong.index % d;
    return report;
  }
};

DOJO_PROBLEM("attention", Attention);

}  // namespace
}  // namespace dojo::attention_problem
