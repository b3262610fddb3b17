#include "run/verdict/causes.hpp"

#include <doctest/doctest.h>

using namespace dojo;

TEST_CASE("causes: a wrong copy comes before what a kernel then reads, other findings keep their order") {
  std::vector<Diagnostic> all(4);
  all[0].kind = "uninitialized", all[0].kernel = "scale";
  all[1].kind = "race", all[1].kernel = "scale";
  all[2].kind = "leak";
  all[3].kind = "wrong_space";
  run::put_causes_first(all);
  CHECK(all[0].kind == "wrong_space");
  CHECK(all[1].kind == "uninitialized");
  CHECK(all[2].kind == "race");
  CHECK(all[3].kind == "leak");
}

TEST_CASE("causes: results that nothing wrote, without a launch, are told at the entry function") {
  const std::string source = "__global__ void k(int* a) { a[0] = 1; }\n\nvoid scale(int* a) {}\n";
  RunReport r;
  r.check.wrong = 1;
  Mismatch m;
  m.got = -875836469;  // four bytes of poison
  r.check.mismatches = {m};
  const auto noted = [&](RunReport run) {
    run::note_missing_launch(run, "scale", "t.cu", source);
    return run.diagnostics;
  };
  const auto all = noted(r);
  REQUIRE(all.size() == 1);
  CHECK(all[0].severity == Severity::warning);
  CHECK(all[0].where == SourceLoc{"t.cu", 3, 0});
  CHECK(all[0].message ==
        "scale() launched no kernel. Launch one with kernel<<<blocks, threads per block>>>(arguments).");
  RunReport launched = r, written = r;
  launched.launches.resize(1);
  CHECK(noted(launched).empty());
  written.check.mismatches[0].got = 2;
  CHECK(noted(written).empty());
}
