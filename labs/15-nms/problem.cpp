// Non-maximum suppression of boxes that are sorted by falling score. Corners are whole numbers, so that areas
// are exact in float and every comparison with the threshold 1/2 has one answer. `options.kind`: "count"
// (later boxes that each overlaps), "mask" (the same as bits), "nms" (which boxes stay), "classes" (the same,
// class by class).
#include <algorithm>

#include "core/error.hpp"
#include "core/problem_tools.hpp"

namespace dojo::nms_problem {
namespace {

constexpr int64_t kMost = 1 << 15;

struct Box {
  float x1, y1, x2, y2;
};

/// Intersection over union above 1/2; boxes that only touch have an intersection of 0.
bool overlap(const Box& a, const Box& b) {
  const double w = std::max(0.0, double(std::min(a.x2, b.x2)) - std::max(a.x1, b.x1));
  const double h = std::max(0.0, double(std::min(a.y2, b.y2)) - std::max(a.y1, b.y1));
  const double inter = w * h;
  const double all = double(a.x2 - a.x1) * (a.y2 - a.y1) + double(b.x2 - b.x1) * (b.y2 - b.y1) - inter;
  return inter > 0.5 * all;
}

class Nms : public Problem {
 public:
  Instance make(const Step& step, const Size& size, uint64_t seed) const override {
    Random random(seed);
    const std::string kind = step.options.at("kind");
    const int64_t n = extent(step, size, "n", kMost);
    const bool classes = kind == "classes";
    Buffer boxes;
    boxes.name = "boxes";
    boxes.elem = Elem::f32;
    boxes.shape = {n, 4};
    boxes.data.resize(size_t(n) * sizeof(Box));
    Buffer labels;
    labels.name = "classes";
    labels.elem = Elem::i32;
    labels.shape = {n};
    labels.data.resize(size_t(n) * 4);
    // A detector gives many boxes for each object: objects, and boxes a few pixels off.
    std::vector<Box> objects;
    for (int64_t i = 0; i < std::max<int64_t>(1, n / 16); ++i) {
      const auto x = float(random.below(900)), y = float(random.below(900));
      objects.push_back({x, y, x + 20 + float(random.below(80)), y + 20 + float(random.below(80))});
    }
    std::vector<Box> all;
    std::vector<int32_t> label;
    for (int64_t i = 0; i < n; ++i) {
      Box b = objects[size_t(random.below(int64_t(objects.size())))];
      b.x1 += float(random.below(13)), b.y1 += float(random.below(13));
      b.x2 += float(random.below(13)), b.y2 += float(random.below(13));
      all.push_back(b);
      label.push_back(int32_t(random.below(4)));
    }
    // Boxes of class 1 that meet the first one, of class 0, if boxes are moved apart by too small a shift per
    // class: the second by 1000 along both axes, the third by 1024; the last two along x only.
    if (classes && n >= 5) {
      const Box planted[] = {{1030, 1030, 1090, 1090},
                             {30, 30, 90, 90},
                             {6, 6, 66, 66},
                             {30, 1030, 90, 1090},
                             {6, 1030, 66, 1090}};
      std::copy(std::begin(planted), std::end(planted), all.begin());
      for (size_t i = 0; i < std::size(planted); ++i) label[i] = i > 0;
    }
    if (n > 0) {
      std::memcpy(boxes.data.data(), all.data(), boxes.data.size());
      std::memcpy(labels.data.data(), label.data(), labels.data.size());
    }

    const int64_t words = (n + 63) / 64;
    std::vector<double> count, keep(size_t(n), 1), halves(size_t(n * words * 2));
    double kept = 0, suppressed_pairs = 0;
    for (int64_t i = 0; i < n; ++i) {
      int64_t later = 0;
      for (int64_t j = i + 1; j < n; ++j) {
        if (classes && label[size_t(i)] != label[size_t(j)]) continue;
        if (!overlap(all[size_t(i)], all[size_t(j)])) continue;
        ++later;
        halves[size_t((i * words + j / 64) * 2 + j % 64 / 32)] += double(uint32_t(1) << (j % 32));
        if (keep[size_t(i)] != 0) keep[size_t(j)] = 0;
      }
      count.push_back(double(later));
      suppressed_pairs += double(later);
      kept += keep[size_t(i)];
    }

    Instance made;
    made.buffers.push_back(std::move(boxes));
    made.args = {Arg::buf(0)};
    if (classes) {
      made.buffers.push_back(std::move(labels));
      made.args.push_back(Arg::buf(1));
    }
    auto add = [&](Buffer b) {
      made.args.push_back(Arg::buf(int(made.buffers.size())));
      made.buffers.push_back(std::move(b));
    };
    if (kind == "count") {
      add(output_buffer("count", Elem::i32, {n}, std::move(count), {0.0}));
    } else if (kind == "mask") {
      // 64-bit words, compared as halves: a double has 53 bits.
      add(output_buffer("mask", Elem::u32, {n, words, 2}, std::move(halves), {0.0}));
    } else {
      if (classes) add(unchecked_output("shifted", Elem::f32, {n, 4}));
      add(unchecked_output("mask", Elem::u32, {n, words, 2}));
      add(output_buffer("keep", Elem::i32, {n}, std::move(keep), {0.0}));
    }
    made.args.push_back(Arg::scalar(int32_t(n)));
    made.ideal_bytes = 20.0 * double(n);
    made.flops = 12.0 * double(n) * double(n - 1) / 2;
    made.quantities = {
        {"n", double(n)}, {"words", double(words)}, {"kept", kept}, {"overlaps", suppressed_pairs}};
    made.tolerance_note = "0: corners are whole numbers, areas and comparisons exact";
    return made;
  }
};

DOJO_PROBLEM("nms", Nms);

}  // namespace
}  // namespace dojo::nms_problem
