// Small jobs for kernels that are broken: each step's `options.kind` names one (see the steps' first lines).
#include <algorithm>
#include <cmath>

#include "core/problem_tools.hpp"

namespace dojo::sync_bugs_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 24;
constexpr int64_t kTile = 256;

struct Job {
  std::vector<double> expected, tolerance;
  std::string note;
};

double ulps(double count, double magnitude) { return std::ldexp(count * magnitude, -24); }

Job reversed(std::span<const float> in) {
  Job job{{}, {0.0}, "0: moved, not computed"};
  const int64_t n = int64_t(in.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t start = i / kTile * kTile, length = std::min(kTile, n - start);
    job.expected.push_back(in[size_t(start + length - 1 - (i - start))]);
  }
  return job;
}

Job means_of_pairs(std::span<const float> in) {
  Job job{{}, {ulps(2, 1)}, "2 x 2^-24: one addition of numbers below 1"};
  for (size_t i = 0; i < in.size(); ++i)
    job.expected.push_back(i + 1 < in.size() ? 0.5 * (double(in[i]) + in[i + 1]) : in[i]);
  return job;
}

Job doubled(std::span<const float> in) {
  Job job{{}, {0.0}, "0: doubling is exact"};
  for (float x : in) job.expected.push_back(2.0 * x);
  return job;
}

Job averages(std::span<const float> in) {
  Job job{{}, {ulps(6, 1)}, "6 x 2^-24: two additions and a division of numbers below 3"};
  const auto at = [&](int64_t i) { return i >= 0 && i < int64_t(in.size()) ? double(in[size_t(i)]) : 0.0; };
  for (int64_t i = 0; i < int64_t(in.size()); ++i)
    job.expected.push_back((at(i - 1) + at(i) + at(i + 1)) / 3);
  return job;
}

/// Sums of `each` floats (0: of all), running or not. In any order: the number of additions times 2^-24 times
/// sum|x|.
Job sums(std::span<const float> in, int64_t each, bool running) {
  Job job;
  const int64_t n = int64_t(in.size());
  double sum = 0, magnitudes = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (each > 0 && i % each == 0 && !running) sum = magnitudes = 0;
    sum += in[size_t(i)];
    magnitudes += std::fabs(in[size_t(i)]);
    if (each > 0 && (i % each == each - 1 || i == n - 1)) {
      job.expected.push_back(sum);
      job.tolerance.push_back(ulps(double(each + (running ? i / each : 0)), magnitudes));
    }
  }
  if (each == 0) job = {{sum}, {ulps(std::ceil(double(n) / kTile) + kTile, magnitudes)}, {}};
  job.note = "additions in the longest chain x 2^-24 x sum|x|";
  return job;
}

Job shares(std::span<const float> in) {
  Job job;
  double sum = 0;
  for (float x : in) sum += x;
  const double chain = double(in.size()) / 65536 + 4 * 256;
  for (float x : in) {
    job.expected.push_back(x / sum);
    job.tolerance.push_back(ulps(chain, x / sum));
  }
  job.note = "additions in the longest chain x 2^-24 of the result: all numbers are positive";
  return job;
}

Job butterfly(std::span<const float> in) {
  Job job{{}, {ulps(2, 1)}, "2 x 2^-24: one addition of numbers below 1"};
  const int64_t n = int64_t(in.size());
  const auto at = [&](int64_t i) { return i < n ? double(in[size_t(i)]) : 0.0; };
  for (int64_t i = 0; i < n; ++i) {
    const int64_t start = i / (2 * kTile) * (2 * kTile), k = i - start;
    job.expected.push_back(at(i) + (k < kTile ? 1 : -1) * at(start + 2 * kTile - 1 - k));
  }
  return job;
}

Instance counts(int64_t n, Random& random) {
  Instance made;
  Buffer in;
  in.name = "in";
  in.elem = Elem::i32;
  in.shape = {n};
  in.data.resize(size_t(n) * 4);
  std::vector<double> expected(64, 0.0);
  for (int32_t& x : in.as<int32_t>()) ++expected[size_t(x = int32_t(random.below(64)))];
  made.buffers = {std::move(in), output_buffer("counts", Elem::i32, {64}, std::move(expected), {0.0})};
  made.tolerance_note = "0: counts are exact";
  return made;
}

class SyncBugs : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made;
    if (kind == "counts") {
      made = counts(n, random);
    } else {
      const bool positive = kind == "shares";
      made.buffers = {uniform_buffer("in", {n}, random, positive ? 0.5f : -1.0f, 1.0f)};
      const std::span<const float> in = made.buffers[0].as<float>();
      Job job = kind == "reversed"    ? reversed(in)
                : kind == "pairs"     ? means_of_pairs(in)
                : kind == "doubled"   ? doubled(in)
                : kind == "averages"  ? averages(in)
                : kind == "warp_sums" ? sums(in, 32, false)
                : kind == "total"     ? sums(in, 0, false)
                : kind == "running"   ? sums(in, kTile, true)
                : kind == "shares"    ? shares(in)
                                      : butterfly(in);
      const int64_t count = int64_t(job.expected.size());
      made.buffers.push_back(
          output_buffer("out", Elem::f32, {count}, std::move(job.expected), std::move(job.tolerance)));
      made.tolerance_note = job.note;
    }
    made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
    made.ideal_bytes = 4.0 * double(n + made.buffers[1].count());
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("sync-bugs", SyncBugs);

}  // namespace
}  // namespace dojo::sync_bugs_problem
