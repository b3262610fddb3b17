#pragma once
// What the tests over all labs share: the catalog, one run of a step, and where its wrong versions are.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "../sanitizers.hpp"
#include "core/error.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "run/runner.hpp"
#include "run/verdict/mistakes.hpp"

namespace dojo::test {

/// The checkout's labs. Reports of references are kept in a cache of this run of the tests, so that each is
/// made once.
inline const Catalog& catalog() {
  static const Catalog c = [] {
    std::string pattern = (fs::temp_directory_path() / "warpdojo-labs-XXXXXX").string();
    if (const char* shared = std::getenv("WARPDOJO_TEST_CACHE")) {
      setenv("XDG_CACHE_HOME", shared, 1);
    } else if (const char* made = mkdtemp(pattern.data())) {
      static std::string folder = made;
      setenv("XDG_CACHE_HOME", folder.c_str(), 1);
      std::atexit([] {
        std::error_code ec;
        fs::remove_all(folder, ec);
      });
    }
    run::register_devices();
    return load_catalog(find_root());
  }();
  return c;
}

inline Report run(const Step& step, run::Who who, const std::string& file = {}, Size size = {},
                  bool gates = true, uint64_t most_instructions = 0, int time_limit_s = 30) {
  run::RunRequest r;
  r.step = step.id();
  r.who = who;
  r.student_file = file;
  r.size = std::move(size);
  r.gates = gates;
  r.time_limit_s = roomy(time_limit_s);
  r.max_warp_instructions = most_instructions;
  return run_step(catalog(), r);
}

/// Why a run is what it is, for a test's message.
inline std::string why(const RunReport& r) {
  std::string s = std::string(r.who) + ": " + to_string(r.status);
  for (const auto& d : r.diagnostics)
    s += "\n  " + d.where.file + ":" + std::to_string(d.where.line) + ": " + to_string(d.kind) + ": " +
         d.message;
  for (const auto& g : r.gates)
    if (!g.pass)
      s += "\n  gate " + g.name + ": " + std::to_string(g.value) + " against " + std::to_string(g.bound) +
           (g.value != g.value ? " " + g.words : "");
  if (r.inputs_changed) s += "\n  inputs changed";
  for (const auto& m : r.check.mismatches) {
    s += "\n  " + m.buffer + "[" + std::to_string(m.index) + "] = " + std::to_string(m.got) + ", expected " +
         std::to_string(m.expected);
    break;
  }
  return s;
}

/// Only the steps of $WARPDOJO_LAB when that is set: for those who write a lab.
inline bool wanted(const Step& s) {
  const char* only = std::getenv("WARPDOJO_LAB");
  return !only || s.lab == only || s.id().find(only) != std::string::npos;
}

/// All wrong versions, by file.
inline std::vector<run::StoredMistake> wrong_versions() {
  std::vector<run::StoredMistake> out;
  std::error_code ec;
  for (const auto& e : fs::recursive_directory_iterator(find_root() / "tests" / "wrong", ec))
    if (e.path().extension() == ".cu") out.push_back(run::read_mistake(e.path()));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return out;
}

}  // namespace dojo::test
