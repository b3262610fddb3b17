// Problems of the lab on copies, streams and graphs. `options.kind` picks one.
//   frames    y = tones(x), in host memory, frame by frame; `options.memory`: "pageable" or "pinned"
//   diamond   y = left * right on the device: tones of scaled x, with the first and the second half of them
//   chain     heat conduction along a rod, params.steps small kernels, on the device
//   urgent    tones of a large and of a small array, on the device
// tones(x) = sum over k of amplitude[k] cos(k x). x is small enough for k x to stay below 3, where __cosf is
// good.
#include <algorithm>
#include <cmath>

#include "core/problem_tools.hpp"

namespace dojo::overlap_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 26;  ///< elements
constexpr double kCosError = 0x1p-20;        ///< of __cosf below pi, twice what the programming guide states

struct Sound {
  std::vector<float> amplitude;
  double total = 0;  ///< of all amplitudes
};

struct Range {
  size_t from = 0, to = 0;
};

/// The sum and its tolerance. cos(k x) by the recurrence cos((k + 1) x) = 2 cos(x) cos(k x) - cos((k - 1) x).
void tones(const Sound& s, Range k, double x, double* sum, double* tolerance) {
  const double step = 2 * std::cos(x);
  double now = std::cos(double(k.from) * x), before = std::cos((double(k.from) - 1) * x), total = 0;
  *sum = 0;
  for (size_t i = k.from; i < k.to; ++i) {
    *sum += double(s.amplitude[i]) * now;
    total += std::fabs(double(s.amplitude[i]));
    const double next = step * now - before;
    before = now, now = next;
  }
  *tolerance = total * (kCosError + 0x1p-22 + 0x1p-24 * double(k.to - k.from));
}

Sound sound(int64_t count, Random& random) {
  Sound s;
  for (int64_t k = 0; k < count; ++k) s.amplitude.push_back(random.uniform(-1, 1));
  return s;
}

Buffer amplitudes(const Sound& s) {
  Buffer b;
  b.name = "amplitude";
  b.shape = {int64_t(s.amplitude.size())};
  b.data.resize(4 * s.amplitude.size());
  std::copy(s.amplitude.begin(), s.amplitude.end(), b.as<float>().begin());
  return b;
}

Buffer angles(const char* name, int64_t n, int64_t tones, Random& random) {
  return uniform_buffer(name, {n}, random, 0, 3.0f / float(tones));
}

/// The sound of each x.
Buffer expected(const char* name, const Sound& s, Buffer& x) {
  Buffer y;
  y.name = name;
  y.shape = x.shape;
  y.role = Role::out;
  y.data.resize(x.data.size());
  for (const float v : x.as<float>()) {
    y.expected.emplace_back();
    y.tolerance.emplace_back();
    tones(s, {0, s.amplitude.size()}, v, &y.expected.back(), &y.tolerance.back());
  }
  return y;
}

/// synthesise(x, y, amplitude, tones, device_x, device_y, n, frames)
Instance frames(const Step& step, int64_t n, Random& random) {
  const int64_t count = int64_t(step.params.at("tones")), all = int64_t(step.params.at("frames"));
  const bool pinned = step.options.at("memory") == "pinned";
  const Sound s = sound(count, random);
  Instance made;
  Buffer x = angles("x", n * all, count, random), y = expected("y", s, x);
  x.host = y.host = !pinned;
  x.pinned = y.pinned = pinned;
  const int64_t on_device = pinned ? n * all : n;  // of pageable memory, one frame is there at a time
  made.buffers = {std::move(x), std::move(y), amplitudes(s),
                  unchecked_output("device_x", Elem::f32, {on_device}),
                  unchecked_output("device_y", Elem::f32, {on_device})};
  made.args = {Arg::buf(0),
               Arg::buf(1),
               Arg::buf(2),
               Arg::scalar(int32_t(count)),
               Arg::buf(3),
               Arg::buf(4),
               Arg::scalar(int32_t(n))};
  if (all > 1) made.args.push_back(Arg::scalar(int32_t(all)));
  made.ideal_bytes = 8.0 * double(n * all);
  made.quantities["frames"] = double(all);
  return made;
}

/// diamond(x, y, amplitude, tones, scaled, left, right, n)
Instance diamond(const Step& step, int64_t n, Random& random) {
  const int64_t count = int64_t(step.params.at("tones"));
  const Sound s = sound(count, random);
  Instance made;
  Buffer x = angles("x", n, count, random), y = output_buffer("y", Elem::f32, {n}, {}, {});
  for (const float v : x.as<float>()) {
    const float scaled = 0.5f * v;  // exact
    double left, right, left_off, right_off;
    tones(s, {0, size_t(count / 2)}, scaled, &left, &left_off);
    tones(s, {size_t(count / 2), size_t(count)}, scaled, &right, &right_off);
    y.expected.push_back(left * right);
    y.tolerance.push_back(std::fabs(left) * right_off + std::fabs(right) * left_off + left_off * right_off +
                          0x1p-24 * std::fabs(left * right));
  }
  made.buffers = {std::move(x),
                  std::move(y),
                  amplitudes(s),
                  unchecked_output("scaled", Elem::f32, {n}),
                  unchecked_output("left", Elem::f32, {n}),
                  unchecked_output("right", Elem::f32, {n})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::buf(2), Arg::scalar(int32_t(count)),
               Arg::buf(3), Arg::buf(4), Arg::buf(5), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  return made;
}

/// serve(x, y, few_x, few_y, amplitude, tones, n, few)
Instance urgent(const Step& step, int64_t n, Random& random) {
  const int64_t count = int64_t(step.params.at("tones")), few = std::min(n, int64_t(step.params.at("few")));
  const Sound s = sound(count, random);
  Instance made;
  Buffer x = angles("x", n, count, random), few_x = angles("few_x", few, count, random);
  Buffer y = expected("y", s, x), few_y = expected("few_y", s, few_x);
  made.buffers = {std::move(x), std::move(y), std::move(few_x), std::move(few_y), amplitudes(s)};
  made.args = {Arg::buf(0),
               Arg::buf(1),
               Arg::buf(2),
               Arg::buf(3),
               Arg::buf(4),
               Arg::scalar(int32_t(count)),
               Arg::scalar(int32_t(n)),
               Arg::scalar(int32_t(few))};
  made.ideal_bytes = 8.0 * double(n + few);
  return made;
}

/// relax(u, v, n, steps)
Instance chain(const Step& step, int64_t n, Random& random) {
  const int64_t steps = int64_t(step.params.at("steps"));
  Instance made;
  Buffer u = uniform_buffer("u", {n}, random, -1, 1);
  u.role = Role::inout;
  std::vector<double> from(u.as<float>().begin(), u.as<float>().end()), to(from.size());
  for (int64_t s = 0; s < steps; ++s) {
    for (size_t i = 0; i < from.size(); ++i) {
      const double here = from[i], left = i > 0 ? from[i - 1] : here,
                   right = i + 1 < from.size() ? from[i + 1] : here;
      to[i] = here + 0.25 * (left - 2 * here + right);
    }
    from.swap(to);
  }
  u.expected = from;
  // Each step is a mean of temperatures within [-1, 1], so errors don't grow; it rounds four times.
  u.tolerance.assign(from.size(), 4 * double(steps) * 0x1p-24);
  made.buffers = {std::move(u), unchecked_output("v", Elem::f32, {n})};
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n)), Arg::scalar(int32_t(steps))};
  made.ideal_bytes = 8.0 * double(n);
  made.tolerance_note = "4 roundings of numbers up to 1 per step, 2^-24 each; a mean does not enlarge errors";
  return made;
}

class Overlap : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    const std::string kind = step.options.at("kind");
    Instance made = kind == "diamond"  ? diamond(step, n, random)
                    : kind == "chain"  ? chain(step, n, random)
                    : kind == "urgent" ? urgent(step, n, random)
                                       : frames(step, n, random);
    made.quantities["n"] = double(n);
    if (made.tolerance_note.empty())
      made.tolerance_note =
          "per tone, 2^-20 of its amplitude for __cosf and a rounding for its angle; 2^-24 of their sum per "
          "addition";
    return made;
  }
};

DOJO_PROBLEM("overlap", Overlap);

}  // namespace
}  // namespace dojo::overlap_problem
