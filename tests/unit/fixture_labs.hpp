#pragma once
// A small tree of labs in a temporary folder, for tests of the catalog and the runner.
#include <filesystem>
#include <string>

#include "../temp_folder.hpp"

namespace dojo::test {

namespace fs = std::filesystem;

using temporary::TempFolder;

/// Two steps, `first` and `second`, of a lab `demo` whose problem is `problem`.
inline void write_demo_lab(const TempFolder& t, const std::string& problem = "demo") {
  t.write("labs/01-demo/lab.toml", "name = \"demo\"\ntitle = \"Demo\"\norder = 1\nproblem = \"" + problem +
                                       "\"\n"
                                       R"toml([defaults]
size = { n = 64 }
entry = "scale"
device = "fake:one"
params = { per_block = 256 }

[[step]]
file = "1-first.cu"
title = "First"
hints = ["a", "b"]
  [step.prediction]
  question = "How many blocks?"
  counter = "blocks"
  [[step.gates]]
  expr = "instructions <= 100"
  words = "Too many."

[[step]]
file = "2-second.cu"
title = "Second"
hints = ["a", "b", "c"]
  [step.prediction]
  question = "Which?"
  answer = "barrier"
  choices = ["latency", "barrier"]
  [[step.gates]]
  expr = "instructions <= 0.6 * reference(previous)"
  words = "Still as many as before."
  weight = 2.5
)toml");
  t.write("labs/01-demo/brief.md", "# Demo\n");
  for (const char* file : {"1-first", "2-second"}) {
    t.write(std::string("labs/01-demo/") + file + ".cu", std::string("// TODO: ") + file + "\n");
    t.write(std::string("labs/01-demo/") + file + ".md", "About " + std::string(file) + "\n");
    t.write(std::string("reference/01-demo/") + file + ".cu", std::string("// solved ") + file + "\n");
  }
}

}  // namespace dojo::test
