// Scans, compaction, one digit of a radix sort, and appending to lists. `options.kind`: "tiles" (running sums
// of each params.tile ints), "scan" (of all), "compact" (positive ints, in order), "digit" (keys ordered by
// four bits), "append" (positive ints, in any order), "lists" (ints appended to one of params.lists lists),
// "count".
#include <algorithm>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo {
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

/// Ints from -99 to 99, never 0. `positive`: this many of 16 are above 0, on average.
Buffer values(int64_t n, Random& random, int positive = 8) {
  Buffer in = ints("in", n);
  for (int32_t& x : in.as<int32_t>()) {
    const int32_t magnitude = int32_t(1 + random.below(99));
    x = random.below(16) < positive ? magnitude : -magnitude;
  }
  return in;
}

/// scan(in, out, n): out[i] is the sum of in[0] to in[i], or of those of the same tile.
Instance running_sums(int64_t n, int64_t tile, Random& random) {
  Instance made;
  made.buffers = {values(n, random)};
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

/// compact(in, out, count, n) and append(…): the positive ints go to out, and how many there are to count.
/// count_positive(in, count, n) leaves the ints where they are.
Instance positives(int64_t n, const std::string& kind, Random& random) {
  Instance made;
  made.buffers = {values(n, random)};
  std::vector<double> kept;
  for (const int32_t x : made.buffers[0].as<int32_t>())
    if (x > 0) kept.push_back(x);
  const int64_t count = int64_t(kept.size());
  made.quantities["kept"] = double(count);
  made.args = {Arg::buf(0)};
  if (kind == "compact") made.buffers.push_back(output_buffer("out", Elem::i32, {count}, kept, {0.0}));
  if (kind == "append") made.buffers.push_back(unchecked_output("out", Elem::i32, {count}));
  if (kind != "count") made.args.push_back(Arg::buf(1));
  made.args.push_back(Arg::buf(int(made.buffers.size())));
  made.args.push_back(Arg::scalar(int32_t(n)));
  made.buffers.push_back(output_buffer("count", Elem::i32, {1}, {double(count)}, {0.0}));
  made.ideal_bytes = 4.0 * double(n + (kind == "count" ? 0 : count) + 1);
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
    // Half of the ints go to list 0.
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

/// `size` ints of `bytes`, from element `first` on, in ascending order.
std::vector<double> sorted(std::span<const std::byte> bytes, int64_t first, int64_t size) {
  std::vector<int32_t> all(static_cast<size_t>(size));
  if (size > 0) std::memcpy(all.data(), bytes.data() + 4 * first, size_t(size) * 4);
  std::sort(all.begin(), all.end());
  return {all.begin(), all.end()};
}

/// Compares a list that may stand in any order, both sides sorted.
void compare_sorted(CheckReport& report, const std::string& name, std::vector<double> expected,
                    std::span<const std::byte> out, int64_t first) {
  const int64_t size = int64_t(expected.size());
  std::sort(expected.begin(), expected.end());
  const std::vector<double> got = sorted(out, first, size);
  std::vector<std::byte> bytes(static_cast<size_t>(size) * 4);
  for (int64_t i = 0; i < size; ++i) {
    const int32_t x = int32_t(got[size_t(i)]);
    std::memcpy(bytes.data() + 4 * i, &x, 4);
  }
  compare(report, output_buffer(name, Elem::i32, {size}, std::move(expected), {0.0}), bytes);
}

class Scan : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const auto param = [&](const char* name) { return int64_t(step.params.at(name)); };
    const int64_t n = extent(step, size, "n", kind == "lists" ? kMost / param("lists") : kMost);
    Instance made = kind == "tiles"   ? running_sums(n, param("tile"), random)
                    : kind == "scan"  ? running_sums(n, 0, random)
                    : kind == "digit" ? by_digit(n, int(param("shift")), random)
                    : kind == "lists" ? to_lists(n, param("lists"), random)
                                      : positives(n, kind, random);
    made.quantities["n"] = double(n);
    made.tolerance_note = "0: whole numbers are exact";
    return made;
  }

  CheckReport check(const Step& step, const Instance& made, const Outputs& outputs) const override {
    CheckReport report = Problem::check(step, made, outputs);
    const std::string kind = step.options.at("kind");
    if (kind != "append" && kind != "lists") return report;
    const int64_t lists = kind == "append" ? 1 : int64_t(step.params.at("lists"));
    const auto in = made.buffers[0].as<int32_t>();
    std::vector<std::vector<double>> expected(static_cast<size_t>(lists));
    for (const int32_t x : in)
      if (kind == "lists")
        expected[size_t(x % lists)].push_back(x);
      else if (x > 0)
        expected[0].push_back(x);
    for (int64_t k = 0; k < lists; ++k)
      compare_sorted(report, lists == 1 ? "out, sorted" : "list " + std::to_string(k) + ", sorted",
                     std::move(expected[size_t(k)]), outputs.buffers[1], k * int64_t(in.size()));
    return report;
  }
};

DOJO_PROBLEM("scan", Scan);

}  // namespace
}  // namespace dojo
