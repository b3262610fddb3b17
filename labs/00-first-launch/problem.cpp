// Problems of the first lab: text that a kernel prints, numbers, a saxpy on device or host memory, a pointer
// chase, calls that fail, and polynomials with a table per batch. `options.kind` picks one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::first_launch_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;  ///< elements; keeps every index of a lab kernel inside an int

/// hello(): prints one line.
Instance hello() {
  Instance made;
  made.print_checked = true;
  made.printed_expected = "Hello from block 0, thread 0\n";
  return made;
}

/// number(out, n): out[i] = i.
Instance number(int64_t n) {
  Instance made;
  std::vector<double> expected(static_cast<size_t>(n));
  std::iota(expected.begin(), expected.end(), 0.0);
  made.buffers = {output_buffer("out", Elem::i32, {n}, std::move(expected), {0.0})};
  made.args = {Arg::buf(0), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 4.0 * double(n);
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

/// saxpy(a, x, y, n): y = a x + y. With `largest`, the entry also returns how many launches were refused.
Instance saxpy(int64_t n, uint64_t seed, bool host) {
  Random random(seed);
  Instance made;
  const float a = random.uniform(1.0f, 2.0f);
  Buffer x = uniform_buffer("x", {n}, random, -1.0f, 1.0f), y = uniform_buffer("y", {n}, random, -1.0f, 1.0f);
  y.role = Role::inout;
  x.host = y.host = host;
  y.expected.resize(size_t(n));
  y.tolerance.resize(size_t(n));
  const auto xs = x.as<float>(), ys = y.as<float>();
  for (size_t i = 0; i < size_t(n); ++i) {
    const double product = double(a) * xs[i], sum = product + ys[i];
    y.expected[i] = sum;
    y.tolerance[i] = std::ldexp(std::fabs(product) + std::fabs(sum), -24);
  }
  made.buffers = {std::move(x), std::move(y)};
  made.args = {Arg::scalar(a), Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 12.0 * double(n);
  made.flops = 2.0 * double(n);
  made.tolerance_note = "2^-24 (|a x| + |a x + y|): one rounding of the product and one of the sum";
  return made;
}

/// launch_largest(a, x, y, n): saxpy that returns how many launches were refused. `limit`: threads per block
/// that the device takes, a parameter of the step that a gate's size may replace.
Instance largest(const Step& step, const Size& size, int64_t n, uint64_t seed) {
  const auto at_gate = size.find("limit");
  const int64_t limit = at_gate == size.end() ? int64_t(step.params.at("limit")) : at_gate->second;
  Instance made = saxpy(n, seed, false);
  made.has_return = true;
  made.return_elem = Elem::i32;
  made.return_expected = 0;
  for (int64_t threads = 4096; n > 0 && threads > limit; threads /= 2) ++made.return_expected;
  made.quantities["limit"] = double(limit);
  return made;
}

/// A ring through the first int of each 128-byte line, in an order no prefetcher guesses: the step is near
/// the golden section of the number of lines and has no factor in common with it.
Buffer ring(const char* name, int64_t lines) {
  Buffer b;
  b.name = name;
  b.elem = Elem::i32;
  b.shape = {lines * 32};
  b.data.resize(size_t(lines) * 128);
  int64_t step = std::max<int64_t>(1, int64_t(0.618 * double(lines)));
  while (std::gcd(step, lines) != 1) ++step;
  auto next = b.as<int32_t>();
  for (int64_t line = 0; line < lines; ++line) next[size_t(line * 32)] = int32_t((line + step) % lines * 32);
  return b;
}

int32_t follow(const Buffer& ring, int64_t steps) {
  int32_t p = 0;
  for (int64_t k = 0; k < steps; ++k) p = ring.as<int32_t>()[size_t(p)];
  return p;
}

/// ladder(small, small_lines, medium, medium_lines, large, steps, end, cycles): see 6-ladder.cu.
Instance ladder(const Step& step, int64_t n) {
  const auto param = [&](const char* name) { return int64_t(step.params.at(name)); };
  const int64_t small = param("small_lines"), medium = param("medium_lines"), steps = param("steps");
  Instance made;
  made.buffers = {ring("small", small), ring("medium", medium), ring("large", std::max<int64_t>(1, n / 32))};
  // A warm-up walks a ring once and ends where it began, so each end is that of `steps` steps from 0.
  const double on_small = follow(made.buffers[0], steps);
  made.buffers.push_back(output_buffer(
      "end", Elem::i32, {4},
      {on_small, on_small, double(follow(made.buffers[1], steps)), double(follow(made.buffers[2], steps))},
      {0.0}));
  made.buffers.push_back(unchecked_output("cycles", Elem::f32, {4}));
  made.args = {Arg::buf(0), Arg::scalar(int32_t(small)), Arg::buf(1), Arg::scalar(int32_t(medium)),
               Arg::buf(2), Arg::scalar(int32_t(steps)), Arg::buf(3), Arg::buf(4)};
  made.tolerance_note = "0 for the place where each chase ends; cycles must be above 0";
  return made;
}

/// saxpy(a, x, y, n, threads, arrays): on host memory, in a pool of `arrays` arrays of n floats, with blocks
/// of `threads`. Returns the number of the first CUDA error; y keeps its values then.
Instance checked(const Step& step, const Size& size, int64_t n, uint64_t seed) {
  const int64_t threads = extent(step, size, "threads", kMost), arrays = extent(step, size, "arrays", kMost);
  if (arrays < 2) throw Error("arrays must be 2 or more: the pool holds x and y");
  constexpr double no_gpu_has = 0x1p44, every_gpu_has = 0x1p31;  // bytes
  const double pool = 4.0 * double(n) * double(arrays);
  if (pool > every_gpu_has && pool < no_gpu_has)
    throw Error("n * arrays floats must be below 2 GiB, or above 16 TiB, which no GPU has");
  constexpr int32_t memory_allocation = 2, invalid_configuration = 9;  // cudaError_t
  Instance made = saxpy(n, seed, true);
  made.args.push_back(Arg::scalar(int32_t(threads)));
  made.args.push_back(Arg::scalar(int32_t(arrays)));
  made.has_return = true;
  made.return_elem = Elem::i32;
  made.return_expected = n == 0                          ? 0
                         : pool >= no_gpu_has            ? memory_allocation
                         : threads < 1 || threads > 1024 ? invalid_configuration
                                                         : 0;
  if (made.return_expected != 0) {
    Buffer& y = made.buffers[1];
    const auto values = y.as<float>();
    y.expected.assign(values.begin(), values.end());
    y.tolerance = {0.0};
  }
  return made;
}

/// evaluate(x, y, n, tables, batches, clamped): batch b of n values, clamped to [-1, 1], in a polynomial
/// whose 8 coefficients are tables[b], the lowest first. tables and clamped (how many values) are host
/// memory.
Instance tables(const Step& step, const Size& size, int64_t n, uint64_t seed) {
  constexpr int64_t terms = 8;
  const int64_t batches = extent(step, size, "batches", 1024);
  if (n * batches > kMost) throw Error("n * batches is too large; the most is 2^28 elements");
  Random random(seed);
  Instance made;
  Buffer x = uniform_buffer("x", {batches, n}, random, -1.25f, 1.25f),
         table = uniform_buffer("tables", {batches, terms}, random, -1.0f, 1.0f);
  table.host = true;
  std::vector<double> expected, tolerance, clamped;
  const auto xs = x.as<float>(), cs = table.as<float>();
  for (int64_t b = 0; b < batches; ++b) {
    clamped.push_back(0);
    for (int64_t i = 0; i < n; ++i) {
      const double raw = xs[size_t(b * n + i)], v = std::clamp(raw, -1.0, 1.0);
      clamped.back() += v != raw;
      double sum = 0, magnitudes = 0;
      for (int64_t k = terms - 1; k >= 0; --k) {
        sum = sum * v + cs[size_t(b * terms + k)];
        magnitudes = magnitudes * std::fabs(v) + std::fabs(double(cs[size_t(b * terms + k)]));
      }
      expected.push_back(sum);
      tolerance.push_back(std::ldexp(2.0 * terms * magnitudes, -24));
    }
  }
  Buffer counts = output_buffer("clamped", Elem::i32, {batches}, std::move(clamped), {0.0});
  counts.host = true;
  made.buffers = {std::move(x),
                  output_buffer("y", Elem::f32, {batches, n}, std::move(expected), std::move(tolerance)),
                  std::move(table), std::move(counts)};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n)), Arg::buf(2), Arg::scalar(int32_t(batches)),
               Arg::buf(3)};
  made.ideal_bytes = 8.0 * double(n * batches);
  made.flops = 2.0 * terms * double(n * batches);
  made.quantities["batches"] = double(batches);
  made.tolerance_note = "2 * 8 * 2^-24 * sum |c x^k|: Horner's rule rounds twice per term; counts are exact";
  return made;
}

class FirstLaunch : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const int64_t n = extent(step, size, "n", kMost);
    const std::string kind = step.options.at("kind");
    Instance made = kind == "hello"     ? hello()
                    : kind == "number"  ? number(n)
                    : kind == "ladder"  ? ladder(step, n)
                    : kind == "checked" ? checked(step, size, n, seed)
                    : kind == "tables"  ? tables(step, size, n, seed)
                    : kind == "errors"  ? largest(step, size, n, seed)
                                        : saxpy(n, seed, kind == "copies");
    made.quantities["n"] = double(n);
    return made;
  }

  CheckReport check(const Step& step, const Instance& made, const Outputs& got) const override {
    CheckReport report = Problem::check(step, made, got);
    if (step.options.at("kind") != "ladder") return report;
    // How long a load takes is the device's affair; that time passed is not.
    const auto& bytes = got.buffers.at(4);
    for (int i = 0; i < 4; ++i) {
      float cycles = 0;
      std::memcpy(&cycles, bytes.data() + 4 * i, 4);
      if (cycles > 0 && cycles < 1e6f) continue;
      ++report.wrong;
      Mismatch& wrong = report.mismatches.emplace_back();
      wrong.buffer = "cycles";
      wrong.index = i;
      wrong.got = cycles;
    }
    return report;
  }
};

DOJO_PROBLEM("first-launch", FirstLaunch);

}  // namespace
}  // namespace dojo::first_launch_problem
