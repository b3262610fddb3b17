#include "run/verdict/early_return.hpp"

#include <doctest/doctest.h>

using namespace dojo;

TEST_CASE("early return: a return in the kernel before the barrier, not one behind it or in host code") {
  const char* before = "__global__ void k(int n) {\n  if (threadIdx.x >= n) return;\n  __syncthreads();\n}\n";
  const char* behind =
      "__global__ void k(int n) {\n  if (n) __syncthreads();\n  if (n > 1) return;\n  f();\n}\n";
  const char* host = "void f() {\n  return;\n}\n__global__ void k() { __syncthreads(); }\n";
  CHECK(run::returns_early(before, 3));
  CHECK(!run::returns_early(behind, 2));
  CHECK(!run::returns_early(host, 4));
  CHECK(!run::returns_early("// return;\n__global__ void k(int n) {\n  if (n) __syncthreads();\n}\n", 3));
}

TEST_CASE("early return: lanes that ended before a shuffle are judged as threads before a barrier") {
  Diagnostic d;
  d.kind = FindingKind::absent_lane;
  d.severity = Severity::warning;
  d.where.line = 2;
  d.message = "Lanes ended.";
  Diagnostic returned = d, of_another_kind = d;
  run::judge_ended_threads(d, "__global__ void k(int n) {\n  if (n) __syncwarp();\n}\n");
  CHECK(d.severity == Severity::error);
  CHECK(d.message.find("name only those that do") != std::string::npos);
  run::judge_ended_threads(returned, "__global__ void k(int n) { if (n) return;\n  __syncwarp();\n}\n");
  CHECK(returned.severity == Severity::warning);
  CHECK(returned.message.find("have not ended") != std::string::npos);
  of_another_kind.kind = FindingKind::race;
  run::judge_ended_threads(of_another_kind, "__global__ void k() {\n  __syncwarp();\n}\n");
  CHECK(of_another_kind.severity == Severity::warning);
}

TEST_CASE("early return: a barrier in a called function belongs to the kernels of the file") {
  const std::string callee =
      "__device__ int sum(int v) {\n  if (v < 0) return 0;\n  __syncthreads();\n  return v;\n}\n";
  CHECK(run::returns_early(callee + "__global__ void k(int n) { if (n) return; sum(n); }\n", 3));
  CHECK(!run::returns_early(callee + "__global__ void k(int n);\n__global__ void k(int n) { sum(n); }\n", 3));
}

TEST_CASE(
    "early return: ended threads are a warning where they returned, an error where a branch leaves them "
    "out") {
  Diagnostic d;
  d.kind = FindingKind::barrier_divergence;
  d.severity = Severity::warning;
  d.where.line = 2;
  d.message = "3 threads ended.";
  Diagnostic other = d;
  run::judge_ended_threads(d, "__global__ void k(int n) {\n  if (n) __syncthreads();\n}\n");
  CHECK(d.severity == Severity::error);
  CHECK(d.message.find("Move __syncthreads() out") != std::string::npos);
  run::judge_ended_threads(other, "__global__ void k(int n) { if (n) return;\n  __syncthreads();\n}\n");
  CHECK(other.severity == Severity::warning);
  CHECK(other.message.find("returned before it") != std::string::npos);
}
