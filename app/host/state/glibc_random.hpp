#pragma once
// rand() with glibc's numbers, so that programs print here what they print on Linux.
#include <array>
#include <cstdint>

namespace dojo::host {

/// An additive feedback generator over 31 words: x[i] = x[i-3] + x[i-31] mod 2^32. next() returns the top 31
/// bits. The first 310 numbers after a seed are dropped.
class GlibcRandom {
 public:
  GlibcRandom() { seed(1); }
  void seed(uint32_t s) {
    x_[0] = s ? s : 1;
    for (int i = 1; i < 31; ++i) {  // 16807 x mod (2^31 - 1), by Schrage's division
      const int64_t word = int32_t(x_[size_t(i - 1)]);
      int64_t next = 16807 * (word % 127773) - 2836 * (word / 127773);
      if (next < 0) next += 2147483647;
      x_[size_t(i)] = uint32_t(next);
    }
    front_ = 3;
    back_ = 0;
    for (int i = 0; i < 310; ++i) next();
  }
  int32_t next() {
    const uint32_t v = x_[front_] += x_[back_];
    front_ = (front_ + 1) % 31;
    back_ = (back_ + 1) % 31;
    return int32_t(v >> 1);
  }

 private:
  std::array<uint32_t, 31> x_{};
  size_t front_ = 3, back_ = 0;
};

}  // namespace dojo::host
