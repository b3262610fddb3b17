// c = a + b, elementwise.
#include <cmath>

#include "core/problem_tools.hpp"

namespace dojo::coarsening_problem {
namespace {

class Coarsening : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const int64_t n = extent(step, size, "n", int64_t(1) << 28);
    Random random(seed);
    Instance made;
    made.buffers = {uniform_buffer("a", {n}, random, -1.0f, 1.0f),
                    uniform_buffer("b", {n}, random, -1.0f, 1.0f)};
    const auto a = made.buffers[0].as<float>(), b = made.buffers[1].as<float>();
    std::vector<double> expected;
    for (size_t i = 0; i < size_t(n); ++i) expected.push_back(a[i] + b[i]);  // the float sum: rounded once
    made.buffers.push_back(output_buffer("c", Elem::f32, {n}, std::move(expected), {0.0}));
    made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
    made.ideal_bytes = 12.0 * double(n);
    made.flops = double(n);
    made.quantities["n"] = double(n);
    made.tolerance_note = "0: one addition is rounded in one way only";
    return made;
  }
};

DOJO_PROBLEM("coarsening", Coarsening);

}  // namespace
}  // namespace dojo::coarsening_problem
