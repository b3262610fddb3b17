#include "core/compile/words/source_advice.hpp"

#include <doctest/doctest.h>

#include "compiled.hpp"
#include "core/compile.hpp"

using namespace dojo;
using dojo::test::compiled;

namespace {

/// The first error of a file that does not compile.
Diagnostic first_error_of(const std::string& source) {
  const Compiled c = compiled(source);
  REQUIRE(!c.ok);
  REQUIRE(!c.diagnostics.empty());
  return c.diagnostics[0];
}

}  // namespace

TEST_CASE("source advice: a misspelled name gets the nearest one of the file or of CUDA") {
  using compile_detail::nearest_name;
  CHECK(nearest_name("threadidx", {"blockIdx", "threadIdx"}) == "threadIdx");
  CHECK(nearest_name("partial", {"partials", "part"}) == "partials");
  CHECK(nearest_name("load_it", {"threads", "stride", "n"}) == "");
  CHECK(nearest_name("i", {"n"}) == "");
  CHECK(first_error_of("__global__ void k(int* total) {\n  totals[0] = threadIdx.x;\n}\n").message ==
        "identifier \"totals\" is undefined. Did you mean total?");
  CHECK(first_error_of("__global__ void k(int* a) {\n  a[0] = threadidx.x;\n}\n").message ==
        "identifier \"threadidx\" is undefined. Did you mean threadIdx?");
  CHECK(first_error_of("__global__ void k() {\n  print(\"x\");\n}\n").message ==
        "identifier \"print\" is undefined. Did you mean printf?");
}

TEST_CASE("source advice: a missing semicolon or brace is told where it is missing") {
  const Diagnostic semicolon = first_error_of("__global__ void k(int* a) {\n  int i = 1\n  a[i] = 2;\n}\n");
  CHECK(semicolon.where == SourceLoc{"t.cu", 2, 12});
  CHECK(semicolon.message == "expected a \";\" at the end of this line");
  const Diagnostic brace = first_error_of(
      "__global__ void k(int* a) {\n  for (int i = 0; i < 2; ++i) {\n    a[i] = 2;\n}\n\n"
      "void run(int* a) { k<<<1, 1>>>(a); }\n");
  CHECK(brace.where.line == 1);
  CHECK(brace.message == "a \"}\" is missing: the file ends inside the block that opens in line 1");
}

TEST_CASE("source advice: a launch of a function that is no kernel has its line and the function's name") {
  const Diagnostic d =
      first_error_of("void scale(int* a) { a[0] = 1; }\n\nvoid run(int* a) {\n  scale<<<1, 1>>>(a);\n}\n");
  CHECK(d.where == SourceLoc{"t.cu", 4, 3});
  CHECK(d.message ==
        "scale is not __global__ and can't be launched: write __global__ before its declaration");
  const Diagnostic second = first_error_of(
      "__global__ void __launch_bounds__(64) k(int* a) { a[0] = 1; }\nvoid scale(int* a) { a[0] = 1; }\n"
      "void run(int* a) {\n  k<<<1, 1>>>(a);\n  scale<<<1, 1>>>(a);\n}\n");
  CHECK(second.where == SourceLoc{"t.cu", 5, 3});
}

TEST_CASE("source advice: names of the standard library come with their header") {
  CHECK(first_error_of("int main() {\n  std::vector<int> v(3);\n  return v[0];\n}\n").message ==
        "namespace \"std\" has no member \"vector\". Add #include <vector>.");
}

TEST_CASE("source advice: calls that take other types say which") {
  CHECK(first_error_of("__global__ void k(float* a) {\n  atomicMax(a, 1.0f);\n}\n")
            .message.find(
                ". The argument types are: (float *, float). It takes int, unsigned int and 64-bit") !=
        std::string::npos);
  CHECK(first_error_of("void run() {\n  float* d;\n  cudaMalloc(d, 16);\n}\n")
            .message.find("Pass the address of the pointer: &d.") != std::string::npos);
  CHECK(first_error_of("__global__ void k(const float* in) {\n  in[0] = 1;\n}\n").message ==
        "expression must be a modifiable lvalue. Is in const?");
}

TEST_CASE("compiler messages have no names of our headers or of NVRTC") {
  const Compiled c = compiled(
      "#include <cstdio>\nint main() {\n  FILE* f = 0;\n  int x = f;\n  cudaMalloc(1, 2, 3);\n  return "
      "x;\n}\n");
  CHECK_FALSE(c.ok);
  for (const Diagnostic& d : c.diagnostics) {
    CAPTURE(d.message);
    CHECK(d.message.find("dojo") == std::string::npos);
    CHECK(d.message.find("CDP") == std::string::npos);
  }
}
