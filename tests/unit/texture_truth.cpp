// Textures and surfaces against what a GPU gave (tests/truth/textures.cu, recorded in textures.txt).
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "../left_out.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "host_play.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {

/// Tables by name; a table's words in order, the numbers at the lines' starts left out.
std::map<std::string, std::vector<std::string>> tables(const std::string& text) {
  std::map<std::string, std::vector<std::string>> all;
  std::istringstream in(text);
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      name = line;
      all[name];
      continue;
    }
    if (name == "[codes]" || line.starts_with("!")) {
      all[name].push_back(line);
      continue;
    }
    std::istringstream words(line.substr(std::min(line.size(), line.find(':') + 1)));
    for (std::string w; words >> w;) all[name].push_back(w);
  }
  return all;
}

double float_of(const std::string& word) {
  return double(std::bit_cast<float>(uint32_t(std::strtoul(word.c_str(), nullptr, 16))));
}

/// How far words of a table may be off, and how many of them.
struct Allowance {
  double bound = 0;
  size_t words = 0;
};
const std::map<std::string, Allowance> allowances = {
    {"[schar interpolated]", {1.01 / 32767, 20}},  // one unit of the 16 bits in which a GPU mixes
    // 1/256 of a level of detail, where levels differ by up to 5000; of the nearest level a whole one
    {"[gradient, texels 0, levels 1] cudaSuccess", {20, 21}},
    {"[gradient, texels 1, levels 1] cudaSuccess", {20, 54}},
    {"[gradient, texels 0, levels 0] cudaSuccess", {954, 1}},
    {"[gradient, texels 1, levels 0] cudaSuccess", {955, 1}},
    // How two levels of filtered texels are mixed is not known.
    {"[level, texels 1, levels 1] cudaSuccess", {0.05, 247}},
    {"[bias and clamps] cudaSuccess", {12, 327}},  // the bias, too, is cut to 1/256: 0.8 is 204 or 205
    {"[plain fetch with bias and clamps] cudaSuccess", {0.04, 32}},
    {"[seamless cube] cudaSuccess", {0.34, 28}},  // near corners, of texels of 0 to 96
};

/// Compares what the machine prints with what a GPU printed.
void compare(const std::string& printed, const fs::path& recorded) {
  auto ours = tables(printed);
  for (const auto& [name, words] : tables(read_or_empty(recorded))) {
    const auto& mine = ours[name];
    REQUIRE_MESSAGE(mine.size() == words.size(), name);
    const auto at = allowances.find(name);
    const Allowance allowed = at == allowances.end() ? Allowance{} : at->second;
    size_t wrong = 0, first = 0, near = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == mine[i]) continue;
      if (std::fabs(float_of(words[i]) - float_of(mine[i])) <= allowed.bound && ++near <= allowed.words)
        continue;
      if (wrong++ == 0) first = i;
    }
    CHECK_MESSAGE(wrong == 0, name << ": " << wrong << " of " << words.size()
                                   << " differ, the first is number " << first << ": " << mine[first]
                                   << ", recorded " << words[first]);
  }
}

}  // namespace

// One run for all checks: compiling the program takes most of the time.
TEST_CASE("textures: the machine gives what an H100 gave, bit by bit") {
  const fs::path folder = source_root() / "tests" / "truth";
  const fs::path program = folder / "textures.cu";
  const auto run = host_test::play(read_or_empty(program), {}, program.string());
  REQUIRE_FALSE(run.stopped);
  for (const Diagnostic& d : run.findings)
    if (d.kind != FindingKind::host_error) FAIL_CHECK(d.where.line << ": " << d.message);
  CHECK(run.printed.find("\n!") == std::string::npos);  // a call that failed
  CHECK(tables(run.printed).size() > 100);
  const fs::path recorded = folder / "textures.txt";
  if (needs::left_out_without("tests/truth/textures.txt, not recorded yet (tests/truth/README.md)",
                              fs::exists(recorded)))
    return;
  CHECK(tables(read_or_empty(recorded)).size() > 100);
  compare(run.printed, recorded);
}

TEST_CASE("textures: mipmaps and seamless cubes are an H100's, or within a stated bound") {
  const fs::path program = source_root() / "tests" / "truth" / "mipmaps.cu";
  const auto run = host_test::play(read_or_empty(program), {}, program.string());
  REQUIRE_FALSE(run.stopped);
  const fs::path recorded = source_root() / "tests" / "truth" / "mipmaps.txt";
  CHECK(tables(read_or_empty(recorded)).size() == 11);
  compare(run.printed, recorded);
}
