#include "run/verdict/unset_variables.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace dojo;

namespace {

/// What is said of line `line` of a source.
std::string told(const std::string& source, int line) {
  Diagnostic d;
  d.kind = "uninitialized";
  d.accesses.variable = true;
  d.where.line = line;
  d.message = "Thread 0 of block 0 computes with a variable that has no value yet. Give it one.";
  run::name_unset_variable(d, source);
  return d.message;
}

const std::string unnamed =
    "Thread 0 of block 0 computes with a variable that has no value yet. Give it one.";

}  // namespace

TEST_CASE("unset variables: the one that the line uses and that has no value where it is declared") {
  const std::string kernel =
      "__global__ void k(const float* x, float* y) {\n  float start = 1, sum, last[2];\n"
      "  for (int i = 0; i < 4; ++i)\n    sum += start * x[i];\n  y[0] = sum + last[0];\n}\n";
  CHECK(
      told(kernel, 4) ==
      "Thread 0 of block 0 computes with sum, which has no value yet. Give it one where line 2 declares it.");
  CHECK(told("namespace a {\n" + kernel + "}\n", 5).find("sum, which") != std::string::npos);
  CHECK(told(kernel, 3) == unnamed);  // none of them is used there
  CHECK(told("__global__ void k(int* y) {\n  int a, b;\n  y[0] = a + b;\n}\n", 3) == unnamed);  // either
  CHECK(told("__global__ void f() {\n  int sum;\n}\n__global__ void k(int* y, int sum) {\n  y[0] = sum;\n}\n",
             5) == unnamed);  // of another function
}

TEST_CASE("unset variables: other findings keep their words") {
  Diagnostic d;
  d.kind = "uninitialized";
  d.where.line = 2;
  d.message = "Thread 0 computes with a variable that has no value yet.";
  const std::string before = d.message;
  run::name_unset_variable(d, "__global__ void k(int* y) { int sum;\n  y[0] = sum;\n}\n");
  CHECK(d.message == before);
}
