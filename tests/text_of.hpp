#pragma once
// A whole file as a text, for tests of every room.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace dojo::test {

/// Empty when it can't be read.
inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace dojo::test
