// Convolutions without padding ("valid"): the input is longer than the output by the filter's width less one.
// `options.kind` picks one: average3, filter, phases, conv2d.
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::conv1d_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 27;  ///< elements of a buffer; every index fits an int
constexpr int64_t kMostSums = int64_t(1)
                              << 31;  ///< multiply-adds; the golden result stays a matter of seconds

/// A sum of `terms` rounded products (or plain terms) in any order, with or without fused multiply-add, is
/// off by at most terms * 2^-24 of the sum of magnitudes, to first order; `more` roundings come on top.
double tolerance_of(double magnitudes, double terms, double more) {
  return std::ldexp(magnitudes * (terms + more), -24) + 0x1p-149;
}

/// Inputs in [-1, 1) with one in 61 scaled up, so that an error elsewhere can't hide behind a small range.
Buffer signal(std::string name, std::vector<int64_t> shape, Random& random) {
  Buffer b = uniform_buffer(std::move(name), std::move(shape), random, -1.0f, 1.0f);
  const auto x = b.as<float>();
  for (size_t i = 7; i < x.size(); i += 61) x[i] *= 4096.0f;
  return b;
}

/// conv1d(in, out, n): the mean of three neighbours.
Instance average3(int64_t n, Random& random) {
  Instance made;
  Buffer in = signal("in", {n + 2}, random);
  const auto x = in.as<float>();
  std::vector<double> expected(static_cast<size_t>(n)), tolerance(static_cast<size_t>(n));
  for (size_t i = 0; i < size_t(n); ++i) {
    expected[i] = (double(x[i]) + x[i + 1] + x[i + 2]) / 3.0;
    tolerance[i] =
        tolerance_of((std::fabs(x[i]) + std::fabs(x[i + 1]) + std::fabs(double(x[i + 2]))) / 3.0, 2, 2);
  }
  made.buffers = {std::move(in),
                  output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = n ? 4.0 * double(2 * n + 2) : 0;
  made.flops = 3.0 * double(n);
  made.quantities = {{"n", double(n)}, {"taps", 3}};
  made.tolerance_note = "4 * 2^-24 * (|a| + |b| + |c|) / 3: two additions, the factor 1/3 and its rounding";
  return made;
}

/// conv1d(in, filter, out, n[, r]): a filter of `taps` weights; with `phases` > 1 a table [taps][phases].
Instance filter(int64_t n, int64_t taps, int64_t phases, bool pass_radius, Random& random) {
  if (n * taps > kMostSums) throw Error("n times the filter's taps is too large; the most is 2^31");
  Instance made;
  Buffer in = signal("in", {n + taps - 1}, random);
  Buffer weights = uniform_buffer("filter", {taps, phases}, random, -1.0f, 1.0f);
  const auto x = in.as<float>(), w = weights.as<float>();
  std::vector<double> expected(static_cast<size_t>(n)), tolerance(static_cast<size_t>(n));
  for (size_t i = 0; i < size_t(n); ++i) {
    double sum = 0, magnitudes = 0;
    for (size_t k = 0; k < size_t(taps); ++k) {
      const double product = double(w[k * size_t(phases) + i % size_t(phases)]) * x[i + k];
      sum += product;
      magnitudes += std::fabs(product);
    }
    expected[i] = sum;
    tolerance[i] = tolerance_of(magnitudes, double(taps), 1);
  }
  made.buffers = {std::move(in), std::move(weights),
                  output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(n))};
  if (pass_radius) made.args.push_back(Arg::scalar(int32_t(taps / 2)));
  made.ideal_bytes = n ? 4.0 * double(2 * n + taps - 1 + taps * phases) : 0;
  made.flops = 2.0 * double(n) * double(taps);
  made.quantities = {{"n", double(n)}, {"taps", double(taps)}, {"r", double(taps / 2)}};
  made.tolerance_note = "(taps + 1) * 2^-24 * sum |w x|: a sum of rounded products in any order";
  return made;
}

/// conv2d(in, filter, out, N, C, K, H, W, R, S). NCHW: in [N][C][H][W], filter [K][C][R][S], out
/// [N][K][P][Q]; NHWC: in [N][H][W][C], filter [R][S][C][K], out [N][P][Q][K].
Instance conv2d(const Step& step, const Size& size, Random& random) {
  const int64_t N = extent(step, size, "n", 4096), C = extent(step, size, "c", 4096),
                K = extent(step, size, "k", 4096);
  const int64_t H = extent(step, size, "h", 16384), W = extent(step, size, "w", 16384);
  const int64_t R = extent(step, size, "r", 7), S = extent(step, size, "s", 7);
  if (R == 0 || S == 0) throw Error("a filter has at least one row and one column; give r and s from 1 to 7");
  const int64_t P = std::max<int64_t>(0, H - R + 1), Q = std::max<int64_t>(0, W - S + 1);
  const auto found = step.options.find("layout");
  const bool nhwc = found != step.options.end() && found->second == "nhwc";
  if (N * (nhwc ? P : K) > 65535)
    throw Error("a grid has at most 65535 blocks in z: images times " +
                std::string(nhwc ? "rows" : "filters") + " is more");
  if (N * C * H * W > kMost || N * K * P * Q > kMost || K * C * R * S > kMost)
    throw Error("the tensors are too large for " + step.id() + "; the most is 2^27 elements each");
  const double sums = double(N) * K * P * Q * C * R * S;
  if (sums > double(kMostSums)) throw Error("too many multiply-adds for " + step.id() + "; the most is 2^31");

  Instance made;
  Buffer in =
      uniform_buffer("in", nhwc ? std::vector{N, H, W, C} : std::vector{N, C, H, W}, random, -1.0f, 1.0f);
  Buffer weights =
      uniform_buffer("filter", nhwc ? std::vector{R, S, C, K} : std::vector{K, C, R, S}, random, -1.0f, 1.0f);
  const auto x = in.as<float>(), f = weights.as<float>();
  std::vector<double> expected(static_cast<size_t>(N * K * P * Q)), tolerance(expected.size());
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k)
      for (int64_t p = 0; p < P; ++p)
        for (int64_t q = 0; q < Q; ++q) {
          double sum = 0, magnitudes = 0;
          for (int64_t c = 0; c < C; ++c)
            for (int64_t r = 0; r < R; ++r)
              for (int64_t s = 0; s < S; ++s) {
                const int64_t xi =
                    nhwc ? ((n * H + p + r) * W + q + s) * C + c : ((n * C + c) * H + p + r) * W + q + s;
                const int64_t wi = nhwc ? ((r * S + s) * C + c) * K + k : ((k * C + c) * R + r) * S + s;
                const double product = double(x[size_t(xi)]) * f[size_t(wi)];
                sum += product;
                magnitudes += std::fabs(product);
              }
          const auto at = size_t(nhwc ? ((n * P + p) * Q + q) * K + k : ((n * K + k) * P + p) * Q + q);
          expected[at] = sum;
          tolerance[at] = tolerance_of(magnitudes, double(C * R * S), 1);
        }
  const bool any = !expected.empty();
  made.buffers = {std::move(in), std::move(weights),
                  output_buffer("out", Elem::f32, nhwc ? std::vector{N, P, Q, K} : std::vector{N, K, P, Q},
                                std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2)};
  for (int64_t v : {N, C, K, H, W, R, S}) made.args.push_back(Arg::scalar(int32_t(v)));
  made.ideal_bytes = any ? 4.0 * double(N * C * H * W + K * C * R * S + N * K * P * Q) : 0;
  made.flops = 2.0 * sums;
  made.quantities = {{"n", double(N)}, {"c", double(C)}, {"k", double(K)}, {"h", double(H)}, {"w", double(W)},
                     {"r", double(R)}, {"s", double(S)}, {"p", double(P)}, {"q", double(Q)}};
  made.tolerance_note = "(C R S + 1) * 2^-24 * sum |w x|: a sum of rounded products in any order";
  return made;
}

class Conv1d : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const auto found = step.options.find("kind");
    const std::string kind = found == step.options.end() ? "average3" : found->second;
    if (kind == "conv2d") return conv2d(step, size, random);
    const int64_t n = extent(step, size, "n", kMost);
    if (kind == "average3") return average3(n, random);
    if (kind == "filter") return filter(n, 7, 1, false, random);
    if (kind == "phases") return filter(n, 8, 32, false, random);
    if (kind == "wide") return filter(n, 1 + 2 * extent(step, size, "r", 32), 1, true, random);
    throw Error("lab.toml: conv1d has no problem of kind '" + kind + "'");
  }
};

DOJO_PROBLEM("conv1d", Conv1d);

}  // namespace
}  // namespace dojo::conv1d_problem
