#include "grade/similarity.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace dojo::grade {
namespace {

std::vector<std::string> tokens(const std::string& s) {
  std::vector<std::string> out;
  for (size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    if (std::isspace(c)) {
      ++i;
    } else if (s.compare(i, 2, "//") == 0) {
      i = std::min(s.find('\n', i), s.size());
    } else if (s.compare(i, 2, "/*") == 0) {
      const size_t end = s.find("*/", i + 2);
      i = end == std::string::npos ? s.size() : end + 2;
    } else if (std::isalnum(c) || c == '_') {
      size_t j = i;
      while (j < s.size() && (std::isalnum(static_cast<unsigned char>(s[j])) || s[j] == '_' || s[j] == '.'))
        ++j;
      out.push_back(s.substr(i, j - i));
      i = j;
    } else {
      out.push_back(s.substr(i++, 1));
    }
  }
  return out;
}

}  // namespace

std::vector<uint64_t> fingerprints(const std::string& source, int k, int w) {
  const auto words = tokens(source);
  std::vector<uint64_t> hashes, kept;
  for (size_t i = 0; i + size_t(k) <= words.size(); ++i) {
    uint64_t h = 1469598103934665603ull;
    for (int j = 0; j < k; ++j) {
      for (unsigned char c : words[i + size_t(j)]) h = (h ^ c) * 1099511628211ull;
      h = (h ^ 0xFF) * 1099511628211ull;
    }
    hashes.push_back(h);
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    const size_t end = std::min(hashes.size(), i + size_t(w));
    kept.push_back(*std::min_element(hashes.begin() + long(i), hashes.begin() + long(end)));
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

double similarity(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const size_t all = a.size() + b.size() - common.size();
  return all ? double(common.size()) / double(all) : 0;
}

}  // namespace dojo::grade
