// Chains of products of small whole numbers, whose results are exact. `options.kind` picks one:
//   "product"    C[m x n] = A[m x k] . B[k x n]
//   "chain"      C, then E[m x l] = C . D[n x l]; both are checked; with options.dtype = "f16" in halves
//   "groups"     the same, but the left columns of E are C's left columns times D's upper half, and the right
//   ones its right
//                columns times D's lower half
//   "twice"      the chain for m rows, and once more for the first `few`
//   "attention"  QKV[m x 3 . 112] = X . W, then dropout(softmax(Q K^T / 4)) V for each 16 rows and each of 7
//   heads "conv"       two 3 x 3 convolutions, channels x height x 8
//   "checksums"  FNV-1a of `streams` streams of `length` words, which lie interleaved
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::cusync_problem {
namespace {

constexpr int64_t kMost = 4096;  ///< of each extent; sums stay below 2^24 as long as k and n do, see `whole`
constexpr int64_t kHeads = 7, kTokens = 16;
using Doubles = std::vector<double>;

/// Whole numbers from -most to most, times `scale`; exact in any of the formats as long as the scale is a
/// power of two.
Buffer whole(const char* name, Elem elem, std::vector<int64_t> shape, Random& random, int most = 2,
             float scale = 1.0f) {
  Buffer b;
  b.name = name;
  b.elem = elem;
  b.shape = std::move(shape);
  b.data.resize(size_t(b.count()) * size_of(elem));
  for (int64_t i = 0; i < b.count(); ++i) {
    const float v = float(random.below(2 * most + 1) - most) * scale;
    if (elem == Elem::f16)
      b.as<uint16_t>()[size_t(i)] = float_to_half(v);
    else
      b.as<float>()[size_t(i)] = v;
  }
  return b;
}

Doubles values(const Buffer& b) {
  Doubles v(size_t(b.count()));
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = b.elem == Elem::f16 ? double(half_to_float(b.as<uint16_t>()[i])) : double(b.as<float>()[i]);
  return v;
}

Doubles product(const Doubles& a, const Doubles& b, int64_t m, int64_t k, int64_t n) {
  Doubles c(size_t(m * n), 0.0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t x = 0; x < k; ++x)
      for (int64_t j = 0; j < n; ++j) c[size_t(i * n + j)] += a[size_t(i * k + x)] * b[size_t(x * n + j)];
  return c;
}

/// E of "groups": column j of E reads half of C's columns.
Doubles grouped(const Doubles& c, const Doubles& d, int64_t m, int64_t n, int64_t l) {
  Doubles e(size_t(m * l), 0.0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < l; ++j)
      for (int64_t x = j < l / 2 ? 0 : n / 2, last = x + n / 2; x < last; ++x)
        e[size_t(i * l + j)] += c[size_t(i * n + x)] * d[size_t(x * l + j)];
  return e;
}

/// out[k][y][x] of a 3 x 3 convolution with a border of zeros; in has as many channels.
Doubles convolution(const Doubles& in, const Doubles& filter, int64_t channels, int64_t height,
                    int64_t width) {
  Doubles out(size_t(channels * height * width), 0.0);
  for (int64_t k = 0; k < channels; ++k)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
          for (int64_t t = 0; t < 9; ++t) {
            const int64_t iy = y + t / 3 - 1, ix = x + t % 3 - 1;
            if (iy < 0 || iy >= height || ix < 0 || ix >= width) continue;
            out[size_t((k * height + y) * width + x)] +=
                in[size_t((c * height + iy) * width + ix)] * filter[size_t((k * channels + c) * 9 + t)];
          }
  return out;
}

/// The heads' results, 16 rows of Q, K and V at a time; *most is the largest |v| * keep that went into one.
Doubles attention(const Doubles& qkv, const Doubles& keep, int64_t m) {
  const int64_t d = kTokens, width = 3 * kHeads * d;
  Doubles out(size_t(m * kHeads * d), 0.0);
  for (int64_t b = 0; b < m / kTokens; ++b)
    for (int64_t h = 0; h < kHeads; ++h)
      for (int64_t i = 0; i < kTokens; ++i) {
        auto at = [&](int64_t row, int64_t part, int64_t x) {
          return qkv[size_t((b * kTokens + row) * width + (part * kHeads + h) * d + x)];
        };
        double p[kTokens], most = -INFINITY, all = 0;
        for (int64_t j = 0; j < kTokens; ++j) {
          p[j] = 0;
          for (int64_t x = 0; x < d; ++x) p[j] += at(i, 0, x) * at(j, 1, x) / 4;
          most = std::max(most, p[j]);
        }
        for (double& v : p) all += v = std::exp(v - most);
        for (int64_t x = 0; x < d; ++x)
          for (int64_t j = 0; j < kTokens; ++j)
            out[size_t(((b * kTokens + i) * kHeads + h) * d + x)] +=
                p[j] / all * keep[size_t(((b * kHeads + h) * kTokens + i) * kTokens + j)] * at(j, 2, x);
      }
  return out;
}

class CuSyncLab : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    const std::string kind = step.options.at("kind");
    Random random(seed);
    Instance made;
    if (kind == "attention")
      make_attention(step, size, random, made);
    else if (kind == "conv")
      make_conv(step, size, random, made);
    else if (kind == "checksums")
      make_checksums(step, size, random, made);
    else
      make_products(step, size, random, made, kind);
    return made;
  }

 private:
  static void scalars(Instance& made, std::initializer_list<int64_t> values) {
    for (int i = 0; i < int(made.buffers.size()); ++i) made.args.push_back(Arg::buf(i));
    for (int64_t v : values) made.args.push_back(Arg::scalar(int32_t(v)));
    for (const Buffer& b : made.buffers) made.ideal_bytes += double(b.count()) * double(size_of(b.elem));
  }

  static void make_products(const Step& step, const Size& size, Random& random, Instance& made,
                            const std::string& kind) {
    const bool chain = kind != "product";
    const auto dtype = step.options.find("dtype");
    const Elem elem = dtype != step.options.end() && dtype->second == "f16" ? Elem::f16 : Elem::f32;
    const int64_t m = extent(step, size, "m", kMost), n = extent(step, size, "n", kMost),
                  k = extent(step, size, "k", kMost), l = chain ? extent(step, size, "l", kMost) : 0,
                  few = kind == "twice" ? extent(step, size, "few", m) : 0;
    // Halves hold whole numbers up to 2048: small inputs there, and sums that are rounded once, as the golden
    // ones are.
    const int most = elem == Elem::f16 ? 1 : 2;
    made.buffers = {whole("a", elem, {m, k}, random, most), whole("b", elem, {k, n}, random, most)};
    const Doubles a = values(made.buffers[0]), b = values(made.buffers[1]),
                  c = rounded(product(a, b, m, k, n), elem);
    auto add = [&](const char* name, int64_t rows, int64_t columns, const Doubles& golden) {
      made.buffers.push_back(output_buffer(name, elem, {rows, columns},
                                           Doubles(golden.begin(), golden.begin() + rows * columns), {0.0}));
    };
    if (chain) {
      made.buffers.push_back(whole("d", elem, {n, l}, random, most));
      const Doubles d = values(made.buffers[2]);
      const Doubles e = rounded(kind == "groups" ? grouped(c, d, m, n, l) : product(c, d, m, n, l), elem);
      add("c", m, n, c);
      add("e", m, l, e);
      if (kind == "twice") {
        add("c2", few, n, c);
        add("e2", few, l, e);
      }
    } else {
      add("c", m, n, c);
    }
    if (kind == "twice")
      scalars(made, {m, few, n, k, l});
    else if (chain)
      scalars(made, {m, n, k, l});
    else
      scalars(made, {m, n, k});
    made.tolerance_note = elem == Elem::f16
                              ? "0: the float sums of small whole numbers are exact, and rounded to half once"
                              : "0: sums of small whole numbers are exact";
    const double rows = double(m + few), inner = kind == "groups" ? double(n) / 2 : double(n);
    made.flops = 2.0 * rows * double(n) * double(k) + 2.0 * rows * double(l) * inner;
    made.quantities = {
        {"m", double(m)}, {"n", double(n)}, {"k", double(k)}, {"l", double(l)}, {"few", double(few)}};
  }

  static void make_attention(const Step& step, const Size& size, Random& random, Instance& made) {
    const int64_t m = extent(step, size, "m", kMost), hidden = extent(step, size, "hidden", 1024),
                  d = kTokens, width = 3 * kHeads * d;
    // x and w are multiples of 1/4 and 1/8, so that Q, K and V are exact in half up to 64.
    made.buffers = {whole("x", Elem::f16, {m, hidden}, random, 2, 0.25f),
                    whole("w", Elem::f16, {hidden, width}, random, 2, 0.125f)};
    const Doubles qkv =
        rounded(product(values(made.buffers[0]), values(made.buffers[1]), m, hidden, width), Elem::f16);
    Buffer keep = whole("keep", Elem::f16, {m / kTokens, kHeads, kTokens, kTokens}, random);
    for (uint16_t& h : keep.as<uint16_t>())
      h = float_to_half(float(random.below(2)) * 2.0f);  // dropout of 1/2
    const Doubles out = attention(qkv, values(keep), m);
    made.buffers.push_back(std::move(keep));
    double largest = 0;
    for (double v : qkv) largest = std::max(largest, std::fabs(v));
    made.buffers.push_back(output_buffer("qkv", Elem::f16, {m, width}, qkv, {0.0}));
    // The shares add up to 1 and are doubled; float exp and sums add 2^-18, the result is rounded to half.
    Doubles tolerance(out.size());
    for (size_t i = 0; i < out.size(); ++i)
      tolerance[i] = std::fabs(out[i]) * 0x1p-11 + 2 * largest * 0x1p-18 + 0x1p-25;
    made.buffers.push_back(output_buffer("out", Elem::f16, {m, kHeads * d}, out, tolerance));
    scalars(made, {m, hidden});
    made.tolerance_note = "qkv: 0; out: |out| 2^-11 (half) + 2 max|v| 2^-18 (exp and sums in float)";
    made.flops =
        2.0 * double(m) * double(width) * double(hidden) + 4.0 * double(m) * double(kTokens * kHeads * d);
    made.quantities = {{"m", double(m)}, {"hidden", double(hidden)}};
  }

  static void make_conv(const Step& step, const Size& size, Random& random, Instance& made) {
    const int64_t channels = extent(step, size, "channels", 512), height = extent(step, size, "height", 512),
                  width = 8;
    made.buffers = {whole("in", Elem::f32, {channels, height, width}, random),
                    whole("f1", Elem::f32, {channels, channels, 3, 3}, random, 1),
                    whole("f2", Elem::f32, {channels, channels, 3, 3}, random, 1)};
    const Doubles mid =
        convolution(values(made.buffers[0]), values(made.buffers[1]), channels, height, width);
    Doubles out = convolution(mid, values(made.buffers[2]), channels, height, width);
    made.buffers.push_back(output_buffer("mid", Elem::f32, {channels, height, width}, mid, {0.0}));
    made.buffers.push_back(output_buffer("out", Elem::f32, {channels, height, width}, std::move(out), {0.0}));
    scalars(made, {channels, height});
    made.tolerance_note = "0: sums of small whole numbers are exact";
    made.flops = 4.0 * 9.0 * double(channels * channels) * double(height * width);
    made.quantities = {{"channels", double(channels)}, {"height", double(height)}};
  }

  /// checksums(words, sums, streams, length): word t of stream s is words[t * streams + s].
  static void make_checksums(const Step& step, const Size& size, Random& random, Instance& made) {
    const int64_t streams = extent(step, size, "streams", 1 << 20),
                  length = extent(step, size, "length", 1 << 20);
    if (streams * length > int64_t(1) << 27) throw Error("too many words; the most is 2^27");
    Buffer words;
    words.name = "words";
    words.elem = Elem::u32;
    words.shape = {length, streams};
    words.data.resize(size_t(streams * length) * 4);
    for (uint32_t& w : words.as<uint32_t>()) w = uint32_t(random.next());
    Doubles sums;
    for (int64_t s = 0; s < streams; ++s) {
      uint32_t h = 2166136261u;
      for (int64_t t = 0; t < length; ++t) {
        const uint32_t word = words.as<uint32_t>()[size_t(t * streams + s)];
        for (int byte = 0; byte < 4; ++byte) h = (h ^ (word >> 8 * byte & 255u)) * 16777619u;
      }
      sums.push_back(double(h));
    }
    made.buffers = {std::move(words), output_buffer("sums", Elem::u32, {streams}, std::move(sums), {0.0})};
    scalars(made, {streams, length});
    made.tolerance_note = "0: whole numbers are exact";
    made.flops = 8.0 * double(streams * length);
    made.quantities = {{"streams", double(streams)}, {"length", double(length)}};
  }

  static Doubles rounded(Doubles v, Elem elem) {
    if (elem == Elem::f16)
      for (double& x : v) x = double(half_to_float(float_to_half(float(x))));
    return v;
  }
};

DOJO_PROBLEM("cusync", CuSyncLab);

}  // namespace
}  // namespace dojo::cusync_problem
