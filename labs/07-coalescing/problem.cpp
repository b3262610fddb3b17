// Moving floats: every second one first, in chunks per thread, out of structures, and in place.
// `options.kind`: "stride", "chunks" (with a size `chunk`), "lengths", "scale" (with a size `offset`).
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::coalescing_problem {
namespace {

constexpr int64_t kMost = int64_t(1) << 28;

std::vector<double> values_of(const Buffer& b) {
  const auto x = b.as<float>();
  return {x.begin(), x.end()};
}

/// copy(in, out, n, chunk): out[i] = in[i].
Instance chunked_copy(int64_t n, int64_t chunk, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, values_of(made.buffers[0]), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n)), Arg::scalar(int32_t(chunk))};
  made.ideal_bytes = 8.0 * double(n);
  made.tolerance_note = "0: a copy is exact";
  return made;
}

/// copy(in, out, n): out[i] = in[(2 i) mod n].
Instance stride_two(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("in", {n}, random, -1.0f, 1.0f)};
  const auto in = made.buffers[0].as<float>();
  std::vector<double> expected;
  for (int64_t i = 0; i < n; ++i) expected.push_back(in[size_t(2 * i % n)]);
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), {0.0}));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.tolerance_note = "0: a copy is exact";
  return made;
}

/// lengths(xyz, out, n): out[i] = |(x, y, z)| of the i-th vector.
Instance lengths(int64_t n, Random& random) {
  Instance made;
  made.buffers = {uniform_buffer("xyz", {n, 3}, random, -1.0f, 1.0f)};
  const auto v = made.buffers[0].as<float>();
  std::vector<double> expected, tolerance;
  for (size_t i = 0; i < size_t(n); ++i) {
    const double x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
    expected.push_back(std::sqrt(x * x + y * y + z * z));
    tolerance.push_back(std::ldexp(4 * expected.back(), -24));
  }
  made.buffers.push_back(output_buffer("out", Elem::f32, {n}, std::move(expected), std::move(tolerance)));
  made.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 16.0 * double(n);
  made.flops = 6.0 * double(n);
  made.tolerance_note = "4 x 2^-24 x length: roundings of squares, sums and root";
  return made;
}

/// scale(data, offset, n): doubles n floats from data[offset] on, in place, and nothing else.
Instance scale(int64_t n, int64_t offset, Random& random) {
  Instance made;
  Buffer data = uniform_buffer("data", {n + offset + 8}, random, -1.0f, 1.0f);
  data.role = Role::inout;
  data.expected = values_of(data);
  for (int64_t i = 0; i < n; ++i) data.expected[size_t(offset + i)] *= 2;
  data.tolerance = {0.0};
  made.buffers = {std::move(data)};
  made.args = {Arg::buf(0), Arg::scalar(int32_t(offset)), Arg::scalar(int32_t(n))};
  made.ideal_bytes = 8.0 * double(n);
  made.flops = double(n);
  made.tolerance_note = "0: doubling is exact";
  return made;
}

class Coalescing : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    Random random(seed);
    Instance made;
    if (kind == "lengths") {
      made = lengths(n, random);
    } else if (kind == "scale") {
      made = scale(n, extent(step, size, "offset", 1024), random);
    } else if (kind == "stride") {
      made = stride_two(n, random);
    } else {
      const int64_t chunk = extent(step, size, "chunk", 1024);
      if (chunk == 0) throw Error("chunk = 0 gives a thread nothing to do; give 1 to 1024");
      made = chunked_copy(n, chunk, random);
    }
    made.quantities["n"] = double(n);
    return made;
  }
};

DOJO_PROBLEM("coalescing", Coalescing);

}  // namespace
}  // namespace dojo::coalescing_problem
