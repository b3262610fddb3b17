// A function that is right once and wrong when it is called again: run/step/second_call.hpp.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "core/files/whole_file.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// The reference of a step, with one text replaced, in the student's place at a small size.
RunReport changed_reference(const std::string& id, const std::string& old, const std::string& now) {
  const Step& step = test::catalog().find(id);
  std::string text = read_or_empty(test::catalog().reference_file(step));
  const size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  text.replace(at, old.size(), now);
  run::RunRequest r;
  r.step = step.id();
  r.who = run::Who::student;
  r.student_file = "changed.cu";
  r.student_source = text;
  for (const auto& [extent, value] : step.size) r.size[extent] = std::min<int64_t>(value, 10007);
  return run_step(test::catalog(), r).runs.at(0);
}

std::string told(const RunReport& r) {
  for (const Diagnostic& d : r.diagnostics)
    if (d.kind == FindingKind::second_call) return d.message;
  return {};
}

}  // namespace

TEST_CASE("second call: a counter that is not set back is named") {
  const RunReport r = changed_reference("reduce/12-static-scratch", "done = 0;", ";");
  CHECK(r.status == Status::wrong);
  CHECK(r.check.wrong == 1);
  CHECK(
      told(r) ==
      "reduce() is right when it is called once, and wrong when it is called again. The "
      "first call changes variables of the file (done, partials). Set them back before the call ends, or at "
      "the start of each call. (seen at n=1027, compiled without optimisation)");
  CHECK(r.launches.size() == 1);  // the figures are those of the first call
}

TEST_CASE("second call: a variable of host code counts, too") {
  const RunReport r =
      changed_reference("reduce/12-static-scratch", "  int sms;",
                        "  static bool called;\n  if (called) return;\n  called = true;\n  int sms;");
  CHECK(r.status == Status::wrong);
  CHECK(test::has(told(r), "(called, "));
}

TEST_CASE("second call: what a function keeps for the next call is its own affair when both are right") {
  const RunReport r = changed_reference("reduce/12-static-scratch", "  int sms;",
                                        "  static int calls;\n  ++calls;\n  int sms;");
  CHECK_MESSAGE(r.status != Status::wrong, test::why(r));
  CHECK(told(r).empty());
}

TEST_CASE("second call: a finding in it says so, at the step's check size as well") {
  const RunReport r = changed_reference("conv1d/1", "void conv1d(const float* in, float* out, int n) {",
                                        "__device__ int calls;\n"
                                        "__global__ void count(float* out, int n) {\n"
                                        "  if (calls++ == 1) out[n] = 1;\n"
                                        "}\n"
                                        "void conv1d(const float* in, float* out, int n) {\n"
                                        "  count<<<1, 1>>>(out, n);");
  CHECK(r.status == Status::finding);
  REQUIRE(has_errors(r.diagnostics));
  const std::string& message = r.diagnostics.front().message;
  CHECK_MESSAGE(test::has(message, "(in a second call of conv1d()) (seen at n=1027, compiled without"),
                message);
}

TEST_CASE("second call: it gets other arrays, so that a kept address is told") {
  const RunReport r = changed_reference("reduce/12-static-scratch", "  int sms;",
                                        "  static float* kept;\n  if (!kept) kept = sum;\n"
                                        "  sum = kept;\n  int sms;");
  CHECK(r.status == Status::wrong);
  CHECK(test::has(told(r), "kept"));
}

TEST_CASE("second call: a maximum that only grows, and a result kept by its address, are told") {
  const RunReport grows = changed_reference(
      "profiles/7-normalise", "  if (threadIdx.x == 0) block_peak[blockIdx.x] = peak;",
      "  if (threadIdx.x == 0) block_peak[blockIdx.x] = fmaxf(block_peak[blockIdx.x], peak);");
  CHECK(grows.status == Status::wrong);
  CHECK(test::has(told(grows), "block_peak"));
  const RunReport kept = changed_reference("reduce/12-static-scratch", "  int sms;",
                                           "  static const float* last;\n  if (last == in) return;\n"
                                           "  last = in;\n  int sms;");
  CHECK(kept.status == Status::wrong);
  CHECK(test::has(told(kept), "last"));
}
