#include "core/compile/words/source_advice.hpp"

#include <doctest/doctest.h>

#include "compiled.hpp"
#include "core/compile.hpp"
#include "core/compile/words/newer_names.hpp"

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

TEST_CASE("source advice: what exists from a newer architecture on is told with both architectures") {
  using compile_detail::needs_newer;
  const auto error_for = [](const std::string& arch, const std::string& body, bool program = false) {
    CompileRequest r;
    r.file = "t.cu", r.arch = arch, r.program = program;
    r.source = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n" + body;
    const Compiled c = compile(r);
    return c.ok || c.diagnostics.empty() ? std::string() : c.diagnostics[0].message;
  };
  const std::string reduced = "__global__ void k(unsigned* a) { a[0] = __reduce_add_sync(~0u, a[1]); }\n";
  CHECK(error_for("compute_75", reduced) ==
        "identifier \"__reduce_add_sync\" is undefined. It needs compute_80; this file is compiled for "
        "compute_75.");
  CHECK(error_for("compute_80", reduced) == "");
  CHECK(error_for("compute_75", reduced + "int main() {}\n", true).ends_with("with --device."));
  const std::string cluster = "__global__ void k() { cg::this_cluster().sync(); }\n";
  CHECK(error_for("compute_80", cluster)
            .ends_with("It needs compute_90; this file is compiled for compute_80."));
  CHECK(error_for("compute_90", cluster) == "");
  CHECK(error_for("compute_80", "__global__ void __cluster_dims__(2, 1, 1) k() {}\n")
            .ends_with("It needs compute_90; this file is compiled for compute_80."));
  const std::string pairs = "__global__ void k(float2* a) { atomicAdd(a, make_float2(1, 2)); }\n";
  CHECK(
      error_for("compute_80", pairs).ends_with("It needs compute_90; this file is compiled for compute_80."));
  CHECK(error_for("compute_90", pairs) == "");
  // A name of the student's own that is misspelled, and an overload that no architecture has.
  CHECK(needs_newer("identifier \"__reduce_all\" is undefined", "compute_75") == "");
  CHECK(needs_newer("identifier \"cluster_group\" is undefined", "compute_75") == "");
  CHECK(
      !error_for("compute_75", "__global__ void k(short* a) { atomicAdd(a, short(1)); }\n").ends_with("75."));
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
