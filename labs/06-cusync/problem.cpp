// Products of matrices of small whole numbers, whose results are exact in float. `options.kind` picks one:
// "product": C[m x n] = A[m x k] . B[k x n];  "chain": C = A . B, then E[m x l] = C . D[n x l]; both are checked.
#include <cmath>

#include "core/problem_tools.hpp"

namespace dojo {
namespace {

constexpr int64_t kMost = 4096;  ///< of each extent; sums stay below 2^24 as long as k and n do, see `whole`

/// Whole numbers from -2 to 2.
Buffer whole(const char* name, std::vector<int64_t> shape, Random& random) {
  Buffer b = uniform_buffer(name, std::move(shape), random, 0.0f, 1.0f);
  for (float& x : b.as<float>()) x = float(random.below(5) - 2);
  return b;
}

std::vector<double> product(const std::vector<double>& a, std::span<const float> b, int64_t m, int64_t k, int64_t n) {
  std::vector<double> c(size_t(m * n), 0.0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t x = 0; x < k; ++x)
      for (int64_t j = 0; j < n; ++j) c[size_t(i * n + j)] += a[size_t(i * k + x)] * double(b[size_t(x * n + j)]);
  return c;
}

class CuSyncLab : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const bool chain = step.options.at("kind") == "chain";
    const int64_t m = extent(step, size, "m", kMost), n = extent(step, size, "n", kMost),
                  k = extent(step, size, "k", kMost), l = chain ? extent(step, size, "l", kMost) : 0;
    Random random(seed);
    Instance made;
    made.buffers = {whole("a", {m, k}, random), whole("b", {k, n}, random)};
    const auto a = made.buffers[0].as<float>();
    const std::vector<double> c = product({a.begin(), a.end()}, made.buffers[1].as<float>(), m, k, n);
    if (chain) {
      made.buffers.push_back(whole("d", {n, l}, random));
      std::vector<double> e = product(c, made.buffers[2].as<float>(), m, n, l);
      made.buffers.push_back(output_buffer("c", Elem::f32, {m, n}, c, {0.0}));
      made.buffers.push_back(output_buffer("e", Elem::f32, {m, l}, std::move(e), {0.0}));
    } else {
      made.buffers.push_back(output_buffer("c", Elem::f32, {m, n}, c, {0.0}));
    }
    for (int i = 0; i < int(made.buffers.size()); ++i) made.args.push_back(Arg::buf(i));
    for (int64_t extent : {m, n, k}) made.args.push_back(Arg::scalar(int32_t(extent)));
    if (chain) made.args.push_back(Arg::scalar(int32_t(l)));
    made.tolerance_note = "0: sums of small whole numbers are exact";
    made.ideal_bytes = 4.0 * double(m * k + k * n + m * n + n * l + m * l);
    made.flops = 2.0 * double(m * n) * double(k) + 2.0 * double(m * l) * double(n);
    made.quantities = {{"m", double(m)}, {"n", double(n)}, {"k", double(k)}, {"l", double(l)}};
    return made;
  }
};

DOJO_PROBLEM("cusync", CuSyncLab);

}  // namespace
}  // namespace dojo
