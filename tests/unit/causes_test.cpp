#include "run/verdict/causes.hpp"
#include "run/verdict/leaks.hpp"

#include <doctest/doctest.h>

using namespace dojo;

TEST_CASE("causes: a wrong copy comes before what a kernel then reads, other findings keep their order") {
  std::vector<Diagnostic> all(4);
  all[0].kind = FindingKind::uninitialized, all[0].kernel = "scale";
  all[1].kind = FindingKind::race, all[1].kernel = "scale";
  all[2].kind = FindingKind::leak;
  all[3].kind = FindingKind::wrong_space;
  run::put_causes_first(all);
  CHECK(all[0].kind == FindingKind::wrong_space);
  CHECK(all[1].kind == FindingKind::uninitialized);
  CHECK(all[2].kind == FindingKind::race);
  CHECK(all[3].kind == FindingKind::leak);
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

TEST_CASE("leaks of one line are one finding with their number and all their bytes") {
  std::vector<Diagnostic> all;
  const auto leak = [&](int line, int column, uint64_t bytes, const std::string& name,
                        const std::string& call = "cudaFree") {
    Diagnostic d;
    d.severity = Severity::warning;
    d.kind = FindingKind::leak;
    d.where = {"own.cu", line, column};
    d.message = "of " + name;
    d.facts.leak = LeakedMemory{bytes, "device memory", name, call};
    all.push_back(d);
  };
  leak(13, 3, 4000, "cudaMalloc at line 13");
  leak(13, 26, 4000, "cudaMalloc at line 13");
  leak(9, 3, 12000, "d_x");
  leak(13, 50, 4000, "cudaMalloc at line 13");
  leak(13, 70, 64, "texels", "cudaFreeArray");
  Diagnostic race;
  race.kind = FindingKind::race;
  all.push_back(race);
  auto told = run::join_leaks(all, Severity::error);
  REQUIRE(told.size() == 4);
  CHECK(told[0].message ==
        "12,000 bytes of device memory in 3 allocations (cudaMalloc at line 13) were never freed: call "
        "cudaFree for each.");
  CHECK(told[0].severity == Severity::error);
  CHECK(told[1].message == "of d_x");
  CHECK(told[2].message == "of texels");
  CHECK(told[3].kind == FindingKind::race);
  // Twenty is where the list of allocations ends.
  all.clear();
  for (int k = 0; k < 20; ++k) leak(5, 1, 100, k % 2 ? "b" : "a");
  told = run::join_leaks(all, Severity::warning);
  REQUIRE(told.size() == 1);
  CHECK(told[0].message ==
        "At least 2000 bytes of device memory in 20 allocations (a, b) were never freed: call cudaFree for "
        "each.");
}
