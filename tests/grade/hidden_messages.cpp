// What messages tell of hidden sizes, and of places that the secret draws: nothing.
#include <doctest/doctest.h>

#include "grade/grader.hpp"

using namespace dojo;
using namespace dojo::grade;

namespace {

Report run_of(Status status, std::vector<bool> gates) {
  Report r;
  RunReport& run = r.runs.emplace_back();
  run.who = "student";
  run.status = status;
  for (bool pass : gates) run.gates.push_back({"g == 0", pass ? 0.0 : 3.0, 0, "==", pass, "words"});
  return r;
}

}  // namespace

TEST_CASE("messages on a gate whose place the secret draws have no figures, and findings there no sizes") {
  Step step;
  step.lab = "reduce";
  step.file = "5-sequential.cu";
  const std::string gate = "time_us <= 2 * reference(self) (n=1000..5000)";
  step.gates.push_back({gate, "Too slow."});
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  Report r = run_of(Status::gate_failed, {});
  r.runs[0].gates.push_back({gate, 17.25, 11.5, "<=", false, "Too slow."});
  CHECK(judge(cs, {}, step, {r}).message.find("17.25") != std::string::npos);
  r.runs[0].gates.back().at_hidden_place = true;
  const Row row = judge(cs, {}, step, {r});
  CHECK(row.message == gate + ": judged at a hidden place. Too slow.");
  Report found = run_of(Status::finding, {});
  found.runs[0].diagnostics.push_back(
      {.kind = FindingKind::out_of_bounds, .message = "Thread 0 reads in[4711]; in has 4,711 elements."});
  CHECK(judge(cs, {}, step, {found}).message.find("4711") != std::string::npos);
  found.runs[0].at_hidden_place = true;
  CHECK(judge(cs, {}, step, {found}).message == "Thread ... reads in[...]; in has ... elements.");
  // What a file stores may be the size itself, whole or as a fraction.
  Report wrong = run_of(Status::wrong, {});
  wrong.runs[0].check.wrong = 1;
  wrong.runs[0].check.mismatches.push_back({"out", 0, 36, -6, {}, {}});
  CHECK(judge(cs, {}, step, {wrong}).message.find("is 36") != std::string::npos);
  wrong.runs[0].at_hidden_place = true;
  CHECK(judge(cs, {}, step, {wrong}).message ==
        "results are wrong at a hidden size: elements of out have other values");
  const Row hidden_input = judge(cs, {}, step, {run_of(Status::pass, {true}), wrong});
  CHECK(hidden_input.message.find("36") == std::string::npos);
  found.runs[0].at_hidden_place = false;
  found.runs[0].diagnostics[0].message = "Stopped after 0.298857 s.";
  CHECK(judge(cs, {}, step, {run_of(Status::pass, {true}), found}).message == "Stopped after ... s.");
}
