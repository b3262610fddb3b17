// Arithmetic intensity: formulas, and kernels that change theirs. `options.kind`: "formulas", "chain" (three
// elementwise operations), "quantised" (a matrix of bytes times a vector), "batch" (a matrix times
// `params.batch` vectors), "series" (much arithmetic on few bytes), "batch-norm", "depthwise" and "pointwise"
// (layers of a network).
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::roofline_problem {
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

constexpr float kEpsilon = 1e-5f;

/// batch_norm(x, gamma, beta, stats, y, images, channels, pixels): x[image][channel][pixel] less the mean of
/// its channel, over the deviation, times gamma plus beta. The means are far from 0 and, for two channels of
/// three, from the first channel's: sums of plain squares lose the variance, and so do those of squares of
/// x less another channel's element. stats is scratch for two floats per channel.
Instance batch_norm(int64_t images, int64_t channels, int64_t pixels, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("x", {images, channels, pixels}, random, 63.0f, 65.0f),
                  uniform_buffer("gamma", {channels}, random, 0.5f, 1.5f),
                  uniform_buffer("beta", {channels}, random, -1.0f, 1.0f),
                  unchecked_output("stats", Elem::f32, {channels, 2})};
  const auto x = made.buffers[0].as<float>(), gamma = made.buffers[1].as<float>(),
             beta = made.buffers[2].as<float>();
  for (size_t i = 0; i < x.size(); ++i) x[i] += 64.0f * float(int64_t(i) / pixels % channels % 3);
  std::vector<double> expected(x.size()), tolerance(x.size());
  for (int64_t c = 0; c < channels; ++c) {
    const auto each = [&](auto f) {
      for (int64_t i = 0; i < images; ++i)
        for (int64_t p = 0; p < pixels; ++p) f(size_t((i * channels + c) * pixels + p));
    };
    const double count = double(images * pixels);
    double mean = 0, variance = 0;
    each([&](size_t at) { mean += x[at] / count; });
    each([&](size_t at) { variance += (x[at] - mean) * (x[at] - mean) / count; });
    const double scale = gamma[size_t(c)] / std::sqrt(variance + kEpsilon);
    each([&](size_t at) {
      expected[at] = (x[at] - mean) * scale + beta[size_t(c)];
      tolerance[at] = 0x1p-20 * (std::fabs(x[at] * scale) + std::fabs(mean * scale) + 1);
    });
  }
  made.buffers.push_back(
      output_buffer("y", Elem::f32, {images, channels, pixels}, std::move(expected), std::move(tolerance)));
  for (int i = 0; i < 5; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {images, channels, pixels}) made.args.push_back(Arg::scalar(int32_t(v)));
  const double n = double(images * channels * pixels);
  made.ideal_bytes = 12.0 * n;  // each x is needed twice: for the statistics, and for y
  made.flops = 5.0 * n;
  made.quantities = {
      {"n", n}, {"images", double(images)}, {"channels", double(channels)}, {"pixels", double(pixels)}};
  made.tolerance_note = "2^-20 (|x| + |mean|) scale: sixteen roundings at the size of what is subtracted";
  return made;
}

/// depthwise(in, filter, out, channels, height, width): a 3 x 3 filter per channel, with a border of zeros.
Instance depthwise(int64_t channels, int64_t height, int64_t width, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {channels, height, width}, random, -1.0f, 1.0f),
                  uniform_buffer("filter", {channels, 3, 3}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>(), f = made.buffers[1].as<float>();
  std::vector<double> expected, tolerance;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        double sum = 0, magnitudes = 0;
        for (int64_t t = 0; t < 9; ++t) {
          const int64_t iy = y + t / 3 - 1, ix = x + t % 3 - 1;
          if (iy < 0 || iy >= height || ix < 0 || ix >= width) continue;
          const double p = double(in[size_t((c * height + iy) * width + ix)]) * f[size_t(c * 9 + t)];
          sum += p;
          magnitudes += std::fabs(p);
        }
        expected.push_back(sum);
        tolerance.push_back(10 * 0x1p-24 * magnitudes);
      }
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {channels, height, width}, std::move(expected), std::move(tolerance)));
  for (int i = 0; i < 3; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {channels, height, width}) made.args.push_back(Arg::scalar(int32_t(v)));
  const double n = double(channels * height * width);
  made.ideal_bytes = 8.0 * n + (n > 0 ? 36.0 * double(channels) : 0);
  made.flops = 18.0 * n;
  made.quantities = {
      {"n", n}, {"channels", double(channels)}, {"height", double(height)}, {"width", double(width)}};
  made.tolerance_note = "10 x 2^-24 sum |f x|: nine products and their sum, in any order";
  return made;
}

/// pointwise(in, w, out, inputs, outputs, pixels): out[o][p] = sum over i of w[o][i] in[i][p].
Instance pointwise(int64_t inputs, int64_t outputs, int64_t pixels, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {inputs, pixels}, random, -1.0f, 1.0f),
                  uniform_buffer("w", {outputs, inputs}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>(), w = made.buffers[1].as<float>();
  std::vector<double> expected(size_t(outputs * pixels)), tolerance(size_t(outputs * pixels));
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t p = 0; p < pixels; ++p) {
        const double product = double(w[size_t(o * inputs + i)]) * in[size_t(i * pixels + p)];
        expected[size_t(o * pixels + p)] += product;
        tolerance[size_t(o * pixels + p)] += double(inputs + 1) * 0x1p-24 * std::fabs(product);
      }
  made.buffers.push_back(
      output_buffer("out", Elem::f32, {outputs, pixels}, std::move(expected), std::move(tolerance)));
  for (int i = 0; i < 3; ++i) made.args.push_back(Arg::buf(i));
  for (int64_t v : {inputs, outputs, pixels}) made.args.push_back(Arg::scalar(int32_t(v)));
  const double n = double(outputs * pixels);
  made.ideal_bytes = n > 0 ? 4.0 * (double(inputs * pixels) + double(inputs * outputs) + n) : 0;
  made.flops = 2.0 * n * double(inputs);
  made.quantities = {
      {"n", n}, {"inputs", double(inputs)}, {"outputs", double(outputs)}, {"pixels", double(pixels)}};
  made.tolerance_note = "(inputs + 1) 2^-24 sum |w x|: a float sum of rounded products in any order";
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
    const auto side = [&](const char* name) { return extent(step, size, name, 65536); };
    const auto fits = [](double elements) {
      if (elements > double(kMost)) throw Error("the tensor is too large; the most is 2^27 elements");
    };
    if (kind == "batch-norm") {
      const int64_t images = side("images"), channels = side("channels"), pixels = side("pixels");
      fits(double(images) * double(channels) * double(pixels));
      return batch_norm(images, channels, pixels, random);
    }
    if (kind == "depthwise") {
      const int64_t channels = side("channels"), height = side("height"), width = side("width");
      fits(double(channels) * double(height) * double(width));
      return depthwise(channels, height, width, random);
    }
    if (kind == "pointwise") {
      const int64_t inputs = side("inputs"), outputs = side("outputs"), pixels = side("pixels");
      fits(double(std::max(inputs, outputs)) * double(pixels));
      return pointwise(inputs, outputs, pixels, random);
    }
    const int64_t n = extent(step, size, "n", kind == "chain" ? kMost : int64_t(1) << 20);
    return kind == "chain" ? chain(n, random) : kind == "series" ? series(n, random) : formulas(n, random);
  }
};

DOJO_PROBLEM("roofline", RooflineLab);

}  // namespace
}  // namespace dojo::roofline_problem
