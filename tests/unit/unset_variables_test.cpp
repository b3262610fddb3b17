#include "run/verdict/unset_variables.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace dojo;

namespace {

/// What is said of line `line` of a source.
std::string told(const std::string& source, int line) {
  Diagnostic d;
  d.kind = FindingKind::uninitialized;
  d.facts.variable = true;
  d.where.line = line;
  d.facts.who = "Thread 0 of block 0";
  d.message = "Thread 0 of block 0 uses a variable that has no value yet. Give it one.";
  run::name_unset_variable(d, source);
  return d.message;
}

const std::string unnamed = "Thread 0 of block 0 uses a variable that has no value yet. Give it one.";

}  // namespace

TEST_CASE("unset variables: the one that the line uses and that has no value where it is declared") {
  const std::string kernel =
      "__global__ void k(const float* x, float* y) {\n  float start = 1, sum, last[2];\n"
      "  for (int i = 0; i < 4; ++i)\n    sum += start * x[i];\n  y[0] = sum + last[0];\n}\n";
  CHECK(told(kernel, 4) ==
        "Thread 0 of block 0 uses sum, which has no value yet. Give it one where line 2 declares it.");
  CHECK(told("namespace a {\n" + kernel + "}\n", 5).find("sum, which") != std::string::npos);
  CHECK(told(kernel, 3) == unnamed);  // none of them is used there
  CHECK(told("__global__ void k(int* y) {\n  int a, b;\n  y[0] = a + b;\n}\n", 3) == unnamed);  // either
  CHECK(told("__global__ void f() {\n  int sum;\n}\n__global__ void k(int* y, int sum) {\n  y[0] = sum;\n}\n",
             5) == unnamed);  // of another function
}

TEST_CASE(
    "unset variables: pointers and counters of loops may be meant, too; what is set before is meant last") {
  const std::string pointer =
      "__global__ void k(const float* in, float* y, int n) {\n  int k;\n  const float* p;\n"
      "  if (n > 100) p = in;\n  k = 3;\n  y[0] = p[k];\n}\n";
  CHECK(told(pointer, 6) == unnamed);
  CHECK(told("__global__ void k(float* y) {\n  float s;\n  for (int j; j < 4; ++j) s = j;\n}\n", 3) ==
        unnamed);
  CHECK(told("__global__ void k(float* y) {\n  for (int j;\n       j < 4; ++j) y[j] = 1;\n}\n", 3)
            .find("uses j,") != std::string::npos);
  CHECK(told("__device__ int f(float v) {\n  int b, c = 0;\n  if (v > 0) b = 1;\n  return b + c;\n}\n", 4)
            .find("uses b,") != std::string::npos);
}

TEST_CASE("unset variables: other findings keep their words") {
  Diagnostic d;
  d.kind = FindingKind::uninitialized;
  d.where.line = 2;
  d.message = "Thread 0 uses a variable that has no value yet.";
  const std::string before = d.message;
  run::name_unset_variable(d, "__global__ void k(int* y) { int sum;\n  y[0] = sum;\n}\n");
  CHECK(d.message == before);
}
