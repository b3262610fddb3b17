// Arithmetic intensity: formulas, and kernels that change theirs. `options.kind`: "formulas", "chain" (three
// elementwise operations), "quantised" (a matrix of bytes times a vector), "batch" (a matrix times
// `params.batch` vectors), "series" (much arithmetic on few bytes).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo {
namespace {

constexpr int64_t kMost = int64_t(1) << 27;
constexpr int kTerms = 2000;

struct Shape {
  int32_t rows, depth, cols, bytes;
};

constexpr double kPeakGflops = 66900, kPeakGbps = 3352;  // an H100's float arithmetic and DRAM

/// intensities(shapes, out, count, peak_gflops, peak_gbps), of C[rows, cols] = A[rows, depth] B[depth, cols]
/// with elements of `bytes`: out[i] = (operations per byte, the GFLOP/s that the roofline allows).
Instance formulas(int64_t count, Random& random) {
  static constexpr Shape known[] = {{512, 1024, 4096, 2},  {1, 1024, 4096, 2},    {1, 1024, 4096, 1},
                                    {4096, 4096, 4096, 2}, {1024, 1024, 1024, 4}, {1, 1, 1, 4}};
  Buffer shapes;
  shapes.name = "shapes";
  shapes.elem = Elem::i32;
  shapes.shape = {count, 4};
  shapes.data.resize(size_t(count) * sizeof(Shape));
  std::vector<double> expected, tolerance;
  for (int64_t i = 0; i < count; ++i) {
    Shape s{int32_t(1 + random.below(4096)), int32_t(1 + random.below(4096)), int32_t(1 + random.below(4096)),
            int32_t(int64_t(1) << random.below(4))};
    if (i < int64_t(std::size(known))) s = known[i];
    std::memcpy(shapes.data.data() + size_t(i) * sizeof s, &s, sizeof s);
    const double r = s.rows, d = s.depth, c = s.cols;
    const double intensity = 2 * r * d * c / (s.bytes * (r * d + d * c + r * c));
    for (const double value : {intensity, std::min(kPeakGflops, intensity * kPeakGbps)}) {
      expected.push_back(value);
      tolerance.push_back(value * 0x1p-20);
    }
  }
  Instance made;
  made.buffers = {std::move(shapes),
                  output_buffer("out", Elem::f32, {count, 2}, std::move(expected), std::move(tolerance))};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(count)), Arg::scalar(float(kPeakGflops)),
               Arg::scalar(float(kPeakGbps))};
  made.ideal_bytes = 24.0 * double(count);
  made.quantities["n"] = double(count);
  made.tolerance_note = "2^-20 relative: a few roundings";
  return made;
}

/// chain(x, r, t, y, n): y = relu(0.5 x + 0.25 + r); t is scratch.
Instance chain(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("x", {n}, random, -1.0f, 1.0f),
                  uniform_buffer("r", {n}, random, -1.0f, 1.0f), unchecked_output("t", Elem::f32, {n})};
  const auto x = made.buffers[0].as<float>(), r = made.buffers[1].as<float>();
  std::vector<double> expected;
  for (size_t i = 0; i < size_t(n); ++i) expected.push_back(std::max(0.0, 0.5 * double(x[i]) + 0.25 + r[i]));
  made.buffers.push_back(output_buffer("y", Elem::f32, {n}, std::move(expected), {0x1p-21}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::buf(3), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 12.0 * double(n);
  made.flops = 4.0 * double(n);
  made.quantities["n"] = double(n);
  made.tolerance_note = "2^-21: three roundings of numbers below 2";
  return made;
}

/// gemv(w, q, scale, x, y, rows, cols): w[r][c] = scale[r] * q[r][c] exactly; y = w x.
Instance quantised(int64_t rows, int64_t cols, Random& random) {
  Instance made;
  Buffer w = uniform_buffer("w", {rows, cols}, random, 0.0f, 1.0f);
  Buffer q;
  q.name = "q";
  q.elem = Elem::i8;
  q.shape = {rows, cols};
  q.data.resize(size_t(rows * cols));
  Buffer scale = uniform_buffer("scale", {rows}, random, 0.5f, 1.0f);
  for (float& s : scale.as<float>()) s = std::ldexp(std::floor(s * 256), -14);  // w is exact: 8 bits times 8
  Buffer x = uniform_buffer("x", {cols}, random, -1.0f, 1.0f);
  std::vector<double> expected, tolerance;
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0, magnitudes = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const size_t at = size_t(r * cols + c);
      const auto value = int8_t(random.below(255) - 127);
      q.as<int8_t>()[at] = value;
      w.as<float>()[at] = scale.as<float>()[size_t(r)] * float(value);
      const double p = double(w.as<float>()[at]) * x.as<float>()[size_t(c)];
      sum += p;
      magnitudes += std::fabs(p);
    }
    expected.push_back(sum);
    tolerance.push_back(magnitudes * 0x1p-24 * (double(cols) / 32 + 16));
  }
  made.buffers = {std::move(w), std::move(q), std::move(scale), std::move(x),
                  output_buffer("y", Elem::f32, {rows}, std::move(expected), std::move(tolerance))};
  for (int i = 0; i < 5; ++i) made.args.push_back(Arg::buf(i));
  made.args.push_back(Arg::scalar(int32_t(rows)));
  made.args.push_back(Arg::scalar(int32_t(cols)));
  made.ideal_bytes = double(rows * cols + 8 * rows + 4 * cols);
  made.flops = 2.0 * double(rows * cols);
  made.tolerance_note = "(cols / 32 + 16) 2^-24 sum |w x|: a lane's sum, then the warp's";
  return made;
}

/// linear(w, x, y, rows, cols): y[b] = w x[b] for a batch of vectors.
Instance batched(int64_t rows, int64_t cols, int64_t batch, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("w", {rows, cols}, random, -1.0f, 1.0f),
                  uniform_buffer("x", {batch, cols}, random, -1.0f, 1.0f)};
  const auto w = made.buffers[0].as<float>(), x = made.buffers[1].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0, magnitudes = 0;
      for (int64_t c = 0; c < cols; ++c) {
        const double p = double(w[size_t(r * cols + c)]) * x[size_t(b * cols + c)];
        sum += p;
        magnitudes += std::fabs(p);
      }
      expected.push_back(sum);
      tolerance.push_back(magnitudes * 0x1p-24 * (double(cols) / 32 + 16));
    }
  made.buffers.push_back(
      output_buffer("y", Elem::f32, {batch, rows}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(rows)), Arg::scalar(int32_t(cols))};
  made.ideal_bytes = 4.0 * double(rows * cols + batch * (rows + cols));
  made.flops = 2.0 * double(batch * rows * cols);
  made.tolerance_note = "(cols / 32 + 16) 2^-24 sum |w x|: a lane's sum, then the warp's";
  made.quantities = {{"rows", double(rows)}, {"cols", double(cols)}, {"batch", double(batch)}};
  return made;
}

/// series(x, y, n): y = sum over k < 2000 of (x + k / 1024)^2.
Instance series(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("x", {n}, random, 0.0f, 1.0f)};
  std::vector<double> expected, tolerance;
  for (double x : made.buffers[0].as<float>()) {
    double sum = 0;
    for (int k = 0; k < kTerms; ++k) sum += (x + k / 1024.0) * (x + k / 1024.0);
    expected.push_back(sum);
    tolerance.push_back(sum * kTerms * 0x1p-24);
  }
  made.buffers.push_back(output_buffer("y", Elem::f32, {n}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.flops = 4.0 * kTerms * double(n);
  made.tolerance_note = "2000 x 2^-24 of the sum: 2000 additions in any order";
  made.quantities["n"] = double(n);
  return made;
}

class RooflineLab : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    if (kind == "quantised" || kind == "batch") {
      const int64_t rows = extent(step, size, "rows", int64_t(1) << 20),
                    cols = extent(step, size, "cols", 65536);
      if (rows * cols > kMost) throw Error("the matrix is too large; the most is 2^27 elements");
      Instance made = kind == "batch" ? batched(rows, cols, int64_t(step.params.at("batch")), random)
                                      : quantised(rows, cols, random);
      made.quantities["rows"] = double(rows);
      made.quantities["cols"] = double(cols);
      return made;
    }
    const int64_t n = extent(step, size, "n", kind == "chain" ? kMost : int64_t(1) << 20);
    return kind == "chain" ? chain(n, random) : kind == "series" ? series(n, random) : formulas(n, random);
  }
};

DOJO_PROBLEM("roofline", RooflineLab);

}  // namespace
}  // namespace dojo
