// Small jobs of eight kernels, each slow for a reason of its own: `options.kind` names the job.
//   gain       out = gain in + offset                  smooth    rows of 32 samples, each a running mean
//   filter     `taps` products per output              tone      pixels of four channels, a curve for each
//   trigger    the first large one of 64 samples        majority  rows of 32 labels, the most frequent of
//   each normalise  out = in / largest magnitude            votes     pairs of label and weight, sums per
//   label
#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::profiles_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 24;
constexpr int64_t kRow = 32;          ///< samples or labels of a row
constexpr int64_t kLabels = 8;        ///< different labels
constexpr int64_t kMostTaps = 12288;  ///< 48 KiB, what a launch gets without asking
constexpr int64_t kShort = 203;       ///< samples of the check, with the longest filter

double ulps(double count, double magnitude) { return std::ldexp(count * magnitude, -24); }

Buffer ints(const char* name, std::vector<int64_t> shape, const std::vector<int32_t>& from) {
  Buffer b;
  b.name = name;
  b.elem = Elem::i32;
  b.shape = std::move(shape);
  b.data.resize(from.size() * 4);
  if (!from.empty()) std::memcpy(b.data.data(), from.data(), b.data.size());
  return b;
}

/// Inputs and the output, which comes last; kernels get their pointers, then the scalars.
void set(Instance& made, std::vector<Buffer> buffers, std::vector<int64_t> scalars) {
  double bytes = 0;
  for (const Buffer& b : buffers) bytes += double(size_of(b.elem)) * double(b.count());
  made.ideal_bytes = bytes;
  made.buffers = std::move(buffers);
  for (size_t i = 0; i < made.buffers.size(); ++i) made.args.push_back(Arg::buf(int(i)));
  for (int64_t v : scalars) made.args.push_back(Arg::scalar(int32_t(v)));
}

void gain(Instance& made, int64_t n, Random& random) {
  Buffer in = uniform_buffer("in", {n}, random, -1, 1);
  std::vector<double> out;
  for (float x : in.as<float>()) out.push_back(0.5 * x + 1.0);
  made.tolerance_note = "2^-23: a product and an addition below 2";
  Buffer y = output_buffer("out", Elem::f32, {n}, std::move(out), {ulps(2, 1)});
  set(made, {std::move(in), std::move(y)}, {n});
}

void smooth(Instance& made, int64_t rows, Random& random) {
  Buffer in = uniform_buffer("in", {rows, kRow}, random, -1, 1);
  std::vector<double> out;
  double y = 0;
  for (size_t i = 0; i < in.as<float>().size(); ++i) {
    const double x = in.as<float>()[i];
    y = i % kRow == 0 ? x : y + 0.25 * (x - y);
    out.push_back(y);
  }
  made.tolerance_note = "12 x 2^-24: each round adds 3 roundings below 1 and keeps 3/4 of the earlier ones";
  Buffer to = output_buffer("out", Elem::f32, {rows, kRow}, std::move(out), {ulps(12, 1)});
  set(made, {std::move(in), std::move(to)}, {rows});
}

/// The length of the filter varies with n, so that no launch can be written for one length.
int64_t taps(int64_t n, double usual) { return n == kShort ? kMostTaps : int64_t(usual) + n % 8; }

void filter(Instance& made, int64_t n, int64_t taps, Random& random) {
  Buffer in = uniform_buffer("in", {n > 0 ? n + taps - 1 : 0}, random, -1, 1);
  Buffer weights = uniform_buffer("taps", {taps}, random, -1, 1);
  std::vector<double> out, tolerance;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0, magnitudes = 0;
    for (int64_t k = 0; k < taps; ++k) {
      const double term = double(in.as<float>()[size_t(i + k)]) * weights.as<float>()[size_t(k)];
      sum += term;
      magnitudes += std::fabs(term);
    }
    out.push_back(sum);
    tolerance.push_back(ulps(double(taps + 1), magnitudes));
  }
  made.flops = 2.0 * double(n) * double(taps);
  made.tolerance_note = "(taps + 1) x 2^-24 x sum |term|: the additions may have any order";
  Buffer y = output_buffer("out", Elem::f32, {n}, std::move(out), std::move(tolerance));
  set(made, {std::move(in), std::move(weights), std::move(y)}, {n, taps});
}

/// The curves of red, green, blue and alpha, of values from 0 to 1.
double toned(double v, int channel) {
  if (channel == 0) {
    for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
    return v;
  }
  if (channel == 1) return std::sqrt(v);
  if (channel == 2) return (1 - std::exp(-3 * v)) / (1 - std::exp(-3.0));
  return std::log(1 + 7 * v) / std::log(8.0);
}

void tone(Instance& made, int64_t pixels, Random& random) {
  Buffer in = uniform_buffer("in", {pixels, 4}, random, 0.01f, 1);
  std::vector<double> out;
  for (size_t i = 0; i < in.as<float>().size(); ++i) out.push_back(toned(in.as<float>()[i], int(i % 4)));
  made.tolerance_note = "2^-16: six rounds of a curve whose slope is up to 1.5, and fast functions";
  Buffer y = output_buffer("out", Elem::f32, {pixels, 4}, std::move(out), {std::ldexp(1.0, -16)});
  set(made, {std::move(in), std::move(y)}, {pixels});
}

/// Sample k of event i is at k * events + i: noise below the threshold, then a pulse, which begins at sample
/// 48 or later and in one event of 17 not at all.
void trigger(Instance& made, int64_t events, Random& random) {
  constexpr int64_t samples = 64, threshold = 100;
  Buffer in;
  in.name = "sample";
  in.elem = Elem::u8;
  in.shape = {samples, events};
  in.data.resize(size_t(samples * events));
  std::vector<double> first;
  for (int64_t i = 0; i < events; ++i) first.push_back(double(std::min(samples, 48 + random.below(17))));
  for (int64_t k = 0; k < samples; ++k)
    for (int64_t i = 0; i < events; ++i) {
      const int64_t noise = random.below(threshold), pulse = threshold + random.below(256 - threshold);
      // What follows the pulse is noise and pulses.
      const double at = first[size_t(i)];
      const bool high = double(k) == at || (double(k) > at && noise % 2 == 0);
      in.data[size_t(k * events + i)] = std::byte(high ? pulse : noise);
    }
  made.tolerance_note = "0: whole numbers";
  Buffer y = output_buffer("first", Elem::i32, {events}, std::move(first), {0.0});
  set(made, {std::move(in), std::move(y)}, {events});
}

/// Labels lie round by round: vote k of row i is at k * rows + i.
void majority(Instance& made, int64_t rows, Random& random) {
  Buffer labels;
  labels.name = "labels";
  labels.elem = Elem::u8;
  labels.shape = {kRow, rows};
  labels.data.resize(size_t(kRow * rows));
  for (auto& b : labels.data) b = std::byte(random.below(kLabels));
  std::vector<double> out;
  for (int64_t i = 0; i < rows; ++i) {
    std::array<int, kLabels> count{};
    for (int64_t k = 0; k < kRow; ++k) ++count[size_t(labels.data[size_t(k * rows + i)])];
    out.push_back(double(std::max_element(count.begin(), count.end()) - count.begin()));
  }
  made.tolerance_note = "0: labels are whole numbers";
  Buffer y = output_buffer("winner", Elem::i32, {rows}, std::move(out), {0.0});
  set(made, {std::move(labels), std::move(y)}, {rows});
}

void normalise(Instance& made, int64_t n, Random& random) {
  // Peaks differ from seed to seed, so that a kernel that keeps an older one is wrong.
  const float most = 1 + float(random.below(64)) / 8;
  Buffer in = uniform_buffer("in", {n}, random, -most, most);
  double peak = 0;
  for (float x : in.as<float>()) peak = std::max(peak, double(std::fabs(x)));
  std::vector<double> out;
  for (float x : in.as<float>()) out.push_back(x / peak);
  made.tolerance_note = "2 x 2^-24: a division, or a reciprocal and a product, of numbers up to 1";
  Buffer y = output_buffer("out", Elem::f32, {n}, std::move(out), {ulps(2, 1)});
  set(made, {std::move(in), std::move(y)}, {n});
}

void votes(Instance& made, int64_t n, Random& random) {
  std::vector<int32_t> pairs;
  std::vector<double> sums(size_t(kLabels), 0.0);
  for (int64_t i = 0; i < n; ++i) {
    pairs.push_back(int32_t(random.below(kLabels)));
    pairs.push_back(int32_t(random.below(100)));
    sums[size_t(pairs[size_t(2 * i)])] += pairs[size_t(2 * i + 1)];
  }
  made.tolerance_note = "0: sums of whole numbers";
  Buffer y = output_buffer("sums", Elem::i32, {kLabels}, std::move(sums), {0.0});
  set(made, {ints("votes", {n, 2}, pairs), std::move(y)}, {n});
}

class Profiles : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Instance made;
    if (kind == "gain")
      gain(made, n, random);
    else if (kind == "smooth")
      smooth(made, n, random);
    else if (kind == "filter")
      filter(made, n, taps(n, step.params.at("taps")), random);
    else if (kind == "tone")
      tone(made, n, random);
    else if (kind == "trigger")
      trigger(made, n, random);
    else if (kind == "majority")
      majority(made, n, random);
    else if (kind == "normalise")
      normalise(made, n, random);
    else if (kind == "votes")
      votes(made, n, random);
    else
      throw Error("profiles has no kind '" + kind + "'");
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("profiles", Profiles);

}  // namespace
}  // namespace dojo::profiles_problem
