// string_view, bitset, and comparisons of chrono.
#include <bitset>
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <tuple>

size_t count_words(std::string_view text) {
  size_t words = 0;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    if (end != 0) ++words;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

int main() {
  const std::string line = "one warp has 32 lanes";
  const std::string_view view = line;
  std::cout << count_words(line) << " words, the third: " << view.substr(9, 3) << ", "
            << (view.substr(0, 3) == "one") << (view < "two") << " " << std::string(view.substr(16)) << "\n";

  std::bitset<32> lanes(0xff00u);
  lanes.set(0).flip(8);
  std::cout << lanes.count() << " lanes: " << lanes << " " << lanes.test(9) << lanes.none() << "\n";

  int count = 0;
  double share = 0;
  std::tie(count, share) = std::make_tuple(3, 0.5);
  std::cout << count << " " << share << "\n";

  const auto begin = std::chrono::steady_clock::now();
  const auto limit = begin + std::chrono::milliseconds(500);
  const auto now = std::chrono::steady_clock::now();
  std::cout << (now >= begin) << (now > limit) << (limit != begin)
            << (std::chrono::seconds(1) == std::chrono::milliseconds(1000))
            << (std::chrono::microseconds(3) <= std::chrono::nanoseconds(2999)) << "\n";
}
