#include "core/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace dojo {
namespace {

constexpr size_t mismatches_kept = 8;

std::map<std::string, std::unique_ptr<Problem>>& registry() {
  static std::map<std::string, std::unique_ptr<Problem>> problems;
  return problems;
}

double element(Elem e, const std::byte* p) {
  auto as = [p]<class T>(T v) {
    std::memcpy(&v, p, sizeof v);
    return v;
  };
  switch (e) {
    case Elem::f32:
      return as(float{});
    case Elem::f64:
      return as(double{});
    case Elem::f16:
      return half_to_float(as(uint16_t{}));
    case Elem::bf16:
      return bf16_to_float(as(uint16_t{}));
    case Elem::i32:
      return as(int32_t{});
    case Elem::u32:
      return as(uint32_t{});
    case Elem::i64:
      return double(as(int64_t{}));
    case Elem::i8:
      return as(int8_t{});
    case Elem::u8:
      return as(uint8_t{});
  }
  return 0;
}

/// Accounts one element; `wrong` when it is out of tolerance. An element that is not there is wrong whatever
/// is expected, and is kept as NaN.
void compare_one(CheckReport& report, const std::string& buffer, int64_t index, std::optional<double> there,
                 double expected, double tolerance) {
  const double got = there.value_or(std::nan(""));
  bool wrong;
  if (!there) {
    wrong = true;
    report.max_abs = report.max_rel = std::numeric_limits<double>::infinity();
  } else if (std::isnan(expected) || std::isnan(got)) {
    wrong = std::isnan(expected) != std::isnan(got);
    if (wrong) report.max_abs = report.max_rel = std::numeric_limits<double>::infinity();
  } else if (std::isinf(expected) || std::isinf(got)) {
    wrong = expected != got;
    if (wrong) report.max_abs = report.max_rel = std::numeric_limits<double>::infinity();
  } else {
    const double error = std::fabs(got - expected);
    wrong = !(error <= tolerance);
    report.max_abs = std::max(report.max_abs, error);
    if (expected != 0) report.max_rel = std::max(report.max_rel, error / std::fabs(expected));
  }
  report.tolerance = std::max(report.tolerance, tolerance);
  if (!wrong) return;
  ++report.wrong;
  if (report.mismatches.size() < mismatches_kept)
    report.mismatches.push_back({buffer, index, got, expected, std::nullopt, std::nullopt});
}

/// Where two texts first differ; both ends count.
size_t first_difference(const std::string& a, const std::string& b) {
  return size_t(std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first -
                a.begin());
}

}  // namespace

void compare(CheckReport& report, const Buffer& golden, std::span<const std::byte> got) {
  const size_t width = size_of(golden.elem), n = golden.expected.size();
  for (size_t i = 0; i < n; ++i) {
    const double tolerance = golden.tolerance.empty()       ? 0
                             : golden.tolerance.size() == 1 ? golden.tolerance[0]
                                                            : golden.tolerance.at(i);
    std::optional<double> value;
    if ((i + 1) * width <= got.size()) value = element(golden.elem, got.data() + i * width);
    compare_one(report, golden.name, int64_t(i), value, golden.expected[i], tolerance);
  }
}

CheckReport Problem::check(const Step&, const Instance& instance, const Outputs& outputs) const {
  CheckReport report;
  report.tolerance_note = instance.tolerance_note;
  for (size_t i = 0; i < instance.buffers.size(); ++i) {
    const Buffer& b = instance.buffers[i];
    if (b.role == Role::in || b.expected.empty()) continue;
    compare(report, b,
            i < outputs.buffers.size() ? std::span<const std::byte>(outputs.buffers[i])
                                       : std::span<const std::byte>());
  }
  if (instance.has_return) {
    std::optional<double> value;
    if (outputs.returned.size() >= size_of(instance.return_elem))
      value = element(instance.return_elem, outputs.returned.data());
    compare_one(report, "return value", 0, value, instance.return_expected, instance.return_tolerance);
  }
  if (instance.print_checked && outputs.printed != instance.printed_expected) {
    const size_t at = first_difference(outputs.printed, instance.printed_expected);
    auto code = [at](const std::string& s) {
      return at < s.size() ? double((unsigned char)s[at]) : std::nan("");
    };
    ++report.wrong;
    // Index: the first character that differs; got and expected: its code, NaN past the end.
    report.mismatches.push_back(
        {"printed text", int64_t(at), code(outputs.printed), code(instance.printed_expected), {}, {}});
  }
  return report;
}

const Problem& problem_for(const std::string& name) {
  auto it = registry().find(name);
  if (it == registry().end())
    throw Error("no problem is registered for lab '" + name + "': its problem.cpp needs DOJO_PROBLEM(\"" +
                name + "\", ...)");
  return *it->second;
}

bool register_problem(const std::string& name, std::unique_ptr<Problem> problem) {
  return registry().insert_or_assign(name, std::move(problem)).second;
}

uint64_t Random::next() {  // SplitMix64 (Steele, Lea, Flood 2014)
  uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

float Random::uniform(float lo, float hi) {
  const float u = float(next() >> 40) * 0x1p-24f;
  const float v = lo + (hi - lo) * u;
  return v < hi ? v : lo;  // rounding may reach hi
}

int64_t Random::below(int64_t n) {
  if (n <= 0) return 0;
  return int64_t((unsigned __int128)next() * uint64_t(n) >> 64);
}

}  // namespace dojo
