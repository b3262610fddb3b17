// Attention over n tokens of 64 numbers a head: out = softmax(Q K^T / 8) V. `options.kind`: "full",
// "stored" (with a scratch buffer for the scores), "causal" (no key after the query), "window" (of those the
// last `params.window`), "decode" (one query per head, which sees all n keys).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo {
namespace {

constexpr int64_t kDim = 64, kMost = 1 << 16;

class Attention : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
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
};

DOJO_PROBLEM("attention", Attention);

}  // namespace
}  // namespace dojo
