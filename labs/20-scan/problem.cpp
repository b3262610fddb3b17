// Scans, compaction, one digit of a radix sort, and appending to lists. `options.kind`: "tiles" (running sums
// of each params.tile ints), "scan" (of all), "compact" (positive ints, in order), "digit" (keys ordered by
// four bits), "append" (positive ints, in any order), "lists" (ints appended to one of params.lists lists),
// "count".
#include <algorithm>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::scan_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

Buffer ints(const char* name, int64_t n, Elem elem = Elem::i32) {
  Buffer b;
  b.name = name;
  b.elem = elem;
  b.shape = {n};
  b.data.resize(size_t(n) * 4);
  return b;
}

/// Ints from -99 to 99, never 0.
Buffer values(int64_t n, Random& random) {
  Buffer in = ints("in", n);
  for (int32_t& x : in.as<int32_t>()) {
    const int32_t magnitude = int32_t(1 + random.below(99));
    x = random.below(2) == 0 ? magnitude : -magnitude;
  }
  return in;
}

/// scan(in, out, n): out[i] is the sum of in[0] to in[i], or of those of the same tile.
Instance running_sums(int64_t n, int64_t tile, Random& random) {
  Instance made;
  made.buffers = {values(n, random)};
  // Sums beyond 2^24 show running sums in float; those of very many numbers stay below 2^31 without.
  if (n <= int64_t(1) << 23)
    for (int32_t& x : made.buffers[0].as<int32_t>()) x += 150;
  std::vector<double> expected;
  double sum = 0;
  for (const int32_t x : made.buffers[0].as<int32_t>()) {
    if (tile > 0 && expected.size() % size_t(tile) == 0) sum = 0;
    expected.push_back(sum += x);
  }
  made.buffers.push_back(output_buffer("out", Elem::i32, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  return made;
}

/// compact(in, out, count, n): the positive ints go to out, in order, and how many there are to count.
Instance positives(int64_t n, Random& random) {
  Instance made;
  made.buffers = {values(n, random)};
  std::vector<double> kept;
  for (const int32_t x : made.buffers[0].as<int32_t>())
    if (x > 0) kept.push_back(x);
  const int64_t count = int64_t(kept.size());
  made.quantities["kept"] = double(count);
  made.buffers.push_back(output_buffer("out", Elem::i32, {count}, std::move(kept), {0.0}));
  made.buffers.push_back(output_buffer("count", Elem::i32, {1}, {double(count)}, {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + count + 1);
  return made;
}

/// count_groups(in, counts, n): counts[g] is how many of the ints from g * group on, a group of them, are
/// positive.
Instance group_counts(int64_t n, int64_t group, Random& random) {
  Instance made;
  made.buffers = {values(n, random)};
  const int64_t groups = (n + group - 1) / group;
  std::vector<double> counts(static_cast<size_t>(groups));
  const auto in = made.buffers[0].as<int32_t>();
  for (int64_t i = 0; i < n; ++i) counts[size_t(i / group)] += in[size_t(i)] > 0;
  made.buffers.push_back(output_buffer("counts", Elem::i32, {groups}, std::move(counts), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n + groups);
  return made;
}

/// sort_digit(in, out, n, shift): the keys in the order of bits shift to shift + 3. Equal digits keep their
/// order.
Instance by_digit(int64_t n, int shift, Random& random) {
  Instance made;
  made.buffers = {ints("in", n, Elem::u32)};
  const auto in = made.buffers[0].as<uint32_t>();
  for (uint32_t& key : in) key = uint32_t(random.next());
  std::vector<double> expected(in.begin(), in.end());
  std::stable_sort(expected.begin(), expected.end(), [&](double a, double b) {
    return ((uint32_t(a) >> shift) & 15) < ((uint32_t(b) >> shift) & 15);
  });
  made.buffers.push_back(output_buffer("out", Elem::u32, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n)), Arg::scalar(int32_t(shift))};
  made.ideal_bytes = 8.0 * double(n);
  return made;
}

/// append_to_lists(in, out, counts, n): int x goes to list x & (lists - 1). List k begins at out[k * n].
Instance to_lists(int64_t n, int64_t lists, Random& random) {
  Instance made;
  made.buffers = {ints("in", n)};
  std::vector<double> counts(static_cast<size_t>(lists));
  for (int32_t& x : made.buffers[0].as<int32_t>()) {
    // Half of the ints go to list 0, and so does an eighth of the others.
    x = int32_t(random.below(1 << 20)) * int32_t(lists);
    if (random.below(2) == 0) x += int32_t(random.below(lists));
    ++counts[size_t(x % lists)];
  }
  made.buffers.push_back(unchecked_output("out", Elem::i32, {lists * n}));
  made.buffers.push_back(output_buffer("counts", Elem::i32, {lists}, std::move(counts), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(2 * n + lists);
  return made;
}

/// Compares a list that may stand in any order, from element `first` of `out` on.
void compare_sorted(CheckReport& report, const std::string& name, std::vector<double> expected,
                    std::span<const std::byte> out, int64_t first) {
  const int64_t size = int64_t(expected.size());
  std::vector<int32_t> got(static_cast<size_t>(size));
  if (size > 0) std::memcpy(got.data(), out.data() + 4 * first, size_t(size) * 4);
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  compare(report, output_buffer(name, Elem::i32, {size}, std::move(expected), {0.0}),
          std::as_bytes(std::span(got)));
}

class Scan : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const auto param = [&](const char* name) { return int64_t(step.params.at(name)); };
    const int64_t n = extent(step, size, "n", kind == "lists" ? kMost / param("lists") : kMost);
    Instance made = kind == "tiles"     ? running_sums(n, param("tile"), random)
                    : kind == "scan"    ? running_sums(n, 0, random)
                    : kind == "compact" ? positives(n, random)
                    : kind == "lists"   ? to_lists(n, param("lists"), random)
                    : kind == "counts"  ? group_counts(n, param("group"), random)
                                        : by_digit(n, int(param("shift")), random);
    made.quantities["n"] = double(n);
    made.tolerance_note = "0: whole numbers are exact";
    return made;
  }

  CheckReport check(const Step& step, const Instance& made, const Outputs& outputs) const override {
    CheckReport report = Problem::check(step, made, outputs);
    if (step.options.at("kind") != "lists") return report;
    const int64_t lists = int64_t(step.params.at("lists"));
    const auto in = made.buffers[0].as<int32_t>();
    std::vector<std::vector<double>> expected(static_cast<size_t>(lists));
    for (const int32_t x : in) expected[size_t(x % lists)].push_back(x);
    for (int64_t k = 0; k < lists; ++k)
      compare_sorted(report, "list " + std::to_string(k) + ", sorted", std::move(expected[size_t(k)]),
                     outputs.buffers[1], k * int64_t(in.size()));
    return report;
  }
};

DOJO_PROBLEM("scan", Scan);

}  // namespace
}  // namespace dojo::scan_problem
