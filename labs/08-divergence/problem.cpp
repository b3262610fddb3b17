// Elementwise work that depends on odd and even. `options.kind`: "parity" (whole numbers: an even one is
// doubled, an odd one gets 1 added), "constants" (32 rounds of x = a x + b, with a and b by the place's
// parity), "formulas" (32 rounds of one of two formulas, by the place's parity).
#include <cmath>

#include "core/problem_tools.hpp"

namespace dojo::divergence_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;
constexpr int kRounds = 32;

Instance parity(int64_t n, Random& random) {
  Instance made;
  Buffer in;
  in.name = "in";
  in.elem = Elem::i32;
  in.shape = {n};
  in.data.resize(size_t(n) * 4);
  std::vector<double> expected;
  for (int32_t& x : in.as<int32_t>()) {
    x = int32_t(random.below(2000001) - 1000000);
    expected.push_back(x % 2 == 0 ? 2.0 * x : x + 1.0);
  }
  made.buffers = {std::move(in), output_buffer("out", Elem::i32, {n}, std::move(expected), {0.0})};
  made.tolerance_note = "0: whole numbers are exact";
  return made;
}

Instance rounds(int64_t n, bool formulas, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  std::vector<double> expected;
  int64_t i = 0;
  for (float& x : made.buffers[0].as<float>()) {
    const bool even = i++ % 2 == 0;
    if (even || !formulas) x *= even ? 0x1p31f : 0x1p62f;
  }
  i = 0;
  for (double x : made.buffers[0].as<float>()) {
    const bool even = i++ % 2 == 0;
    for (int k = 0; k < kRounds; ++k) {
      if (even)
        x = 0.5 * x + 0.25;
      else if (formulas)
        x = x * (0.5 - 0.125 * x * x) + 0.25;
      else
        x = 0.25 * x + 0.5;
    }
    expected.push_back(x);
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {std::ldexp(16.0, -24)}));
  made.flops = 2.0 * kRounds * double(n);
  made.tolerance_note =
      "16 x 2^-24: a round makes up to 4 roundings, and shrinks their errors as it shrinks x, to below 1";
  return made;
}

class Divergence : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made = kind == "parity" ? parity(n, random) : rounds(n, kind == "formulas", random);
    made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
    made.ideal_bytes = 8.0 * double(n);
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("divergence", Divergence);

}  // namespace
}  // namespace dojo::divergence_problem
