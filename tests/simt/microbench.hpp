#pragma once
// What programs of tests/microbench share with the tests that hold the time model to their figures.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::test {

/// The text of a header of tests/microbench: kernels without a clock, which the SIMT machine can run too.
inline std::string microbench_header(const char* name) {
  return read_or_empty(source_root() / "tests" / "microbench" / name);
}

/// A file of tests/simt/kernels. Its #include "..." lines, which are relative to it, are replaced by the
/// files.
inline std::string kernel_source(const std::string& name) {
  const std::filesystem::path file = source_root() / "tests" / "simt" / "kernels" / name;
  std::ifstream in(file);
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#include \"")) {
      text += read_or_empty(file.parent_path() / line.substr(10, line.rfind('"') - 10));
    } else {
      text += line + "\n";
    }
  }
  return text;
}

/// The lines of a recording, by its name in assets/recordings; none if there is no such file.
inline std::vector<std::string> recorded_lines(const std::string& name) {
  std::ifstream in(source_root() / "assets" / "recordings" / name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace dojo::test
