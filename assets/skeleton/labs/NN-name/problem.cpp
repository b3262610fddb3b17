// out[i] = 2 * in[i].
#include "core/problem_tools.hpp"

namespace dojo::@identifier@_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

class Twice : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made;
    made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
    std::vector<double> expected;
    for (float x : made.buffers[0].as<float>()) expected.push_back(2.0 * x);
    made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0.0}));
    made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
    made.ideal_bytes = 8.0 * double(n);
    made.flops = double(n);
    made.tolerance_note = "0: a product by two is exact";
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("@name@", Twice);

}  // namespace
}  // namespace dojo::@identifier@_problem
