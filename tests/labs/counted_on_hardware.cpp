// The machine's counters against those that Nsight Compute counted on an H100 (assets/recordings/h100-counters.json):
// the patterns of tests/counters, kernel by kernel. `warpdojo counters` compares the references too.
#include <doctest/doctest.h>

#include <algorithm>

#include "lab_runs.hpp"
#include "run/counter_check.hpp"

using namespace dojo;

TEST_CASE("memory counters of every access pattern are those of an H100, what is executed is near") {
  const Catalog& catalog = test::catalog();
  run::CounterRecording recording = run::load_counters(catalog.root / "assets/recordings/h100-counters.json");
  std::erase_if(recording.launches, [](const run::CountedLaunch& l) { return !l.target.ends_with(".cu"); });
  std::string said;
  const auto all = run::compare_counters(catalog, recording, [&](const std::string& s) { said += s + "\n"; });
  CHECK(said == "");
  CHECK(all.size() >= 54);
  size_t near = 0;
  for (const auto& k : all) {
    INFO(k.target << " " << k.kernel << ": " << k.difference());
    CHECK(k.memory_exact());
    // The ratio of predicated-on lanes leans on where ptxas put its predicates: not held to 5 %.
    double executed = 0;
    for (const auto& c : k.executed)
      if (c.name == "instructions") executed = c.error();
    near += executed <= 0.05;
  }
  CHECK(near >= all.size() - 1);  // control.cu's switch: ptxas makes another tree of it
}
