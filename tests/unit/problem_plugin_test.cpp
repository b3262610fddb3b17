// A lab's problem.cpp that the program was not built with: compiled, loaded, replaced when its text changes.
#include <doctest/doctest.h>

#include <chrono>

#include "../left_out.hpp"
#include "../same_architecture.hpp"
#include "core/error.hpp"
#include "fixture_labs.hpp"
#include "run/problem_plugin.hpp"

using namespace dojo;

namespace {

/// Where shared objects go while it lives.
struct ProblemFolder {
  explicit ProblemFolder(const fs::path& p) { setenv("WARPDOJO_PROBLEMS", p.c_str(), 1); }
  ~ProblemFolder() { unsetenv("WARPDOJO_PROBLEMS"); }
};

/// A problem whose inputs are n copies of `value`.
std::string plugin_source(const std::string& value, const std::string& key = "plugged") {
  return "#include \"core/problem_tools.hpp\"\n"
         "namespace dojo {\n"
         "class Plugged : public Problem {\n"
         "  Instance make(const Step& step, const Size& size, uint64_t) const override {\n"
         "    Instance made;\n"
         "    const int64_t n = extent(step, size, \"n\", 1000);\n"
         "    made.quantities[\"value\"] = " +
         value +
         " * double(n);\n"
         "    return made;\n"
         "  }\n"
         "};\n"
         "DOJO_PROBLEM(\"" +
         key + "\", Plugged);\n}\n";
}

double value_of(const Lab& lab) {
  Step step;
  return run::problem_of(lab).make(step, {{"n", 10}}, 1).quantities.at("value");
}

bool left_out_without_compiler() {
  return needs::left_out_without("a compiler for this architecture",
                                 needs::same_architecture("${CXX:-c++} -dumpmachine"));
}

}  // namespace

TEST_CASE("a lab's problem.cpp is compiled and loaded on first use, and again when its text changes") {
  if (left_out_without_compiler()) return;
  const test::TempFolder t;
  const ProblemFolder objects(t.path);
  Lab lab;
  lab.name = lab.problem = "plugged";
  lab.folder = t.path / "labs" / "90-plugged";
  t.write("labs/90-plugged/problem.cpp", plugin_source("2"));
  CHECK(value_of(lab) == 20);
  // Objects of earlier texts go when a later one is compiled; not those of a lab with a longer name.
  const fs::path other = t.write("problem-plugged-too-0123456789abcdef-1.so", "");
  for (const auto& e : fs::directory_iterator(t.path))
    if (e.path().extension() == ".so")
      fs::last_write_time(e.path(), fs::file_time_type::clock::now() - std::chrono::hours(2));
  t.write("labs/90-plugged/problem.cpp", plugin_source("3"));
  CHECK(value_of(lab) == 30);
  int objects_left = 0;
  for (const auto& e : fs::directory_iterator(t.path)) objects_left += e.path().extension() == ".so";
  CHECK(objects_left == 2);
  CHECK(fs::exists(other));
  t.write("labs/90-plugged/problem.cpp", plugin_source("2"));
  CHECK(value_of(lab) == 20);
}

TEST_CASE("a problem.cpp that does not compile is named with its line and the compiler's words") {
  const test::TempFolder t;
  const ProblemFolder objects(t.path);
  Lab lab;
  lab.name = lab.problem = "unplugged";
  lab.folder = t.path / "labs" / "91-unplugged";
  t.write("labs/91-unplugged/problem.cpp", "int broken = ;\n");
  try {
    run::problem_of(lab);
    FAIL("no error");
  } catch (const Error& e) {
    const std::string said = e.what();
    CHECK(said.find("problem.cpp:1:") != std::string::npos);
    CHECK(said.find("error:") != std::string::npos);
  }
}

TEST_CASE("a problem.cpp that registers another lab's name is told to register its own") {
  if (left_out_without_compiler()) return;
  const test::TempFolder t;
  const ProblemFolder objects(t.path);
  Lab lab;
  lab.name = lab.problem = "mine";
  lab.folder = t.path / "labs" / "92-mine";
  t.write("labs/92-mine/problem.cpp", plugin_source("2", "yours"));
  CHECK_THROWS_WITH_AS(run::problem_of(lab), doctest::Contains("DOJO_PROBLEM(\"mine\""), Error);
}
