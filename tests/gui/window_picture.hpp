#pragma once
// A picture of the window (PNG), and what is measured on it.
#include <stb_image.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace dojo::gui::test {

struct Picture {
  int w = 0, h = 0;
  std::vector<unsigned char> rgb;
  explicit Picture(const std::filesystem::path& file) {
    int n = 0;
    if (unsigned char* p = stbi_load(file.c_str(), &w, &h, &n, 3)) {
      rgb.assign(p, p + size_t(w) * size_t(h) * 3);
      stbi_image_free(p);
    }
  }
  /// Mean of a part, 0..255, all channels.
  double mean(int x0, int y0, int x1, int y1) const {
    double sum = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0 * 3; x < x1 * 3; ++x) sum += rgb[size_t(y) * size_t(w) * 3 + size_t(x)];
    return sum / double((x1 - x0) * (y1 - y0) * 3);
  }
  /// Pixels near a colour.
  int near(int r, int g, int b, int within = 40) const {
    int n = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
      n += std::abs(rgb[i] - r) < within && std::abs(rgb[i + 1] - g) < within &&
           std::abs(rgb[i + 2] - b) < within;
    return n;
  }
  /// The same between two columns.
  int near_between(int x0, int x1, int r, int g, int b, int within = 40) const {
    int n = 0;
    for (int y = 0; y < h; ++y)
      for (int x = x0; x < x1; ++x) {
        const size_t i = (size_t(y) * size_t(w) + size_t(x)) * 3;
        n += std::abs(rgb[i] - r) < within && std::abs(rgb[i + 1] - g) < within &&
             std::abs(rgb[i + 2] - b) < within;
      }
    return n;
  }
  /// Share of pixels that differ by more than a little.
  double difference(const Picture& o) const {
    if (w != o.w || h != o.h) return 1;
    size_t n = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
      n += std::abs(rgb[i] - o.rgb[i]) + std::abs(rgb[i + 1] - o.rgb[i + 1]) +
               std::abs(rgb[i + 2] - o.rgb[i + 2]) >
           60;
    return double(n) / (double(w) * h);
  }
};

}  // namespace dojo::gui::test
