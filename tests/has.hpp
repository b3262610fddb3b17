#pragma once
// Whether a text contains another.
#include <string>

namespace dojo::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace dojo::test
