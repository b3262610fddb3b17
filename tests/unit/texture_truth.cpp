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

/// Tables that the machine meets only within a bound.
const std::map<std::string, double> bounds = {
    {"[schar interpolated]", 1.01 / 32767},  // one unit of the 16 bits in which a GPU mixes: 20 of 240
};

}  // namespace

// One run for all checks: compiling the program takes most of the time.
TEST_CASE("textures: the machine gives what an H100 gave, bit by bit") {
  const fs::path folder = source_root() / "tests" / "truth";
  const fs::path program = folder / "textures.cu";
  const auto run = host_test::play(read_or_empty(program), {}, program.string());
  REQUIRE_FALSE(run.stopped);
  for (const Diagnostic& d : run.findings)
    if (d.kind != "host_error") FAIL_CHECK(d.where.line << ": " << d.message);
  CHECK(run.printed.find("\n!") == std::string::npos);  // a call that failed
  auto ours = tables(run.printed);
  CHECK(ours.size() > 100);
  const fs::path recorded = folder / "textures.txt";
  if (needs::left_out_without("tests/truth/textures.txt, not recorded yet (tests/truth/README.md)",
                              fs::exists(recorded)))
    return;
  const auto theirs = tables(read_or_empty(recorded));
  CHECK(theirs.size() > 100);
  for (const auto& [name, words] : theirs) {
    const auto& mine = ours[name];
    REQUIRE_MESSAGE(mine.size() == words.size(), name);
    const auto bound = bounds.find(name);
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == mine[i]) continue;
      if (bound != bounds.end() && std::fabs(float_of(words[i]) - float_of(mine[i])) <= bound->second)
        continue;
      if (wrong++ == 0) first = i;
    }
    CHECK_MESSAGE(wrong == 0, name << ": " << wrong << " of " << words.size()
                                   << " differ, the first is number " << first << ": " << mine[first]
                                   << ", recorded " << words[first]);
  }
}
