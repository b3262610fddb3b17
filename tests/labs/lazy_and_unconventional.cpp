// Two corpora that hold the gates to their purpose. tests/lazy: right results that miss the step's point; a
// named gate must fail. tests/unconventional: right results that make the point in another way than the
// reference; every gate must pass.
#include <doctest/doctest.h>

#include <fstream>

#include "../whole_suite.hpp"
#include "core/counters.hpp"
#include "grade/references.hpp"
#include "lab_runs.hpp"
#include "run/execute.hpp"

using namespace dojo;

namespace {

/// A file of a corpus, and the lines `// KEY: VALUE` at its head.
struct Solution {
  fs::path file;
  std::map<std::string, std::string> head;
  std::string of(const std::string& key) const {
    const auto it = head.find(key);
    return it == head.end() ? "" : it->second;
  }
  /// EXPR of "// expect: gate EXPR".
  std::string gate() const {
    const std::string expect = of("expect");
    return expect.starts_with("gate ") ? expect.substr(5) : "";
  }
};

std::vector<Solution> corpus(const std::string& name) {
  std::vector<Solution> all;
  std::error_code ec;
  for (const auto& e : fs::recursive_directory_iterator(find_root() / "tests" / name, ec)) {
    if (e.path().extension() != ".cu") continue;
    Solution s{e.path(), {}};
    std::ifstream in(e.path());
    for (std::string line; std::getline(in, line) && line.starts_with("// ");)
      if (const size_t colon = line.find(": "); colon != line.npos)
        s.head.emplace(line.substr(3, colon - 3), line.substr(colon + 2));
    all.push_back(std::move(s));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return all;
}

/// The step that the head names; null, with a failed check, when it and the file's name disagree.
const Step* step_of(const Solution& s, const std::string& key) {
  try {
    const Step& step = test::catalog().find(s.of(key));
    const std::string stem = step.file.substr(0, step.file.rfind('.'));
    const bool named = step.id() == s.of(key) && s.file.filename().string().starts_with(stem + "--") &&
                       s.file.parent_path().filename() == test::catalog().lab_of(step).folder.filename();
    CHECK_MESSAGE(named, s.file.string() << ": the file's place and name say " << step.id());
    return named ? &step : nullptr;
  } catch (const Error& e) {
    FAIL_CHECK(s.file.string() << ": " << std::string(e.what()));
    return nullptr;
  }
}

/// A solution in the student's place, within the instructions that grading allows.
RunReport run_as_graded(const Step& step, const fs::path& file) {
  const RunReport reference = test::run(step, run::Who::reference, {}, {}, false).runs.at(0);
  const uint64_t most = grade::most_instructions(total(reference, "instructions"));
  return test::run(step, run::Who::student, file.string(), {}, true, most).runs.at(0);
}

template <class Check>
void for_each_run(const std::string& name, const std::string& key, Check check) {
  test::Part part(name + " solutions");
  for (const Solution& s : corpus(name)) {
    const Step* step = step_of(s, key);
    if (!step || !test::wanted(*step) || !part.takes(s.file.filename().string())) continue;
    try {
      check(s, run_as_graded(*step, s.file));
    } catch (const std::exception& e) {
      FAIL_CHECK(s.file.string() << ": " << std::string(e.what()));
    }
  }
}

}  // namespace

TEST_CASE("every lazy solution names its step and a gate of it") {
  for (const Solution& s : corpus("lazy")) {
    const Step* step = step_of(s, "lazy");
    CHECK_MESSAGE(!s.gate().empty(), s.file.string() << ": no line '// expect: gate EXPR'");
    if (!step) continue;
    std::string known;
    bool found = s.gate().starts_with("default: ");  // a bound that every step has
    for (const GateDef& g : step->gates) found |= g.expr == s.gate(), known += "\n  " + g.expr;
    CHECK_MESSAGE(found, s.file.string() << ": the step has no gate '" << s.gate() << "'; it has" << known);
  }
}

TEST_CASE("every unconventional solution names its step") {
  for (const Solution& s : corpus("unconventional")) step_of(s, "unconventional");
}

TEST_CASE("every lazy solution is right and fails the gate that it names") {
  for_each_run("lazy", "lazy", [](const Solution& s, const RunReport& r) {
    CHECK_MESSAGE(r.status == Status::gate_failed, s.file.filename().string() << "\n" << test::why(r));
    const bool failed = std::any_of(r.gates.begin(), r.gates.end(),
                                    [&](const GateReport& g) { return g.name == s.gate() && !g.pass; });
    CHECK_MESSAGE(failed, s.file.filename().string() << " meets '" << s.gate() << "'\n" << test::why(r));
  });
}

TEST_CASE("every unconventional solution passes") {
  for_each_run("unconventional", "unconventional", [](const Solution& s, const RunReport& r) {
    CHECK_MESSAGE(r.status == Status::pass, s.file.filename().string() << "\n" << test::why(r));
  });
}
