// What the source calls parameters, arrays and members.
#include <doctest/doctest.h>

#include "core/compile.hpp"
#include "core/compile/source_names.hpp"

using namespace dojo;

namespace {

std::string signature_of(const SourceNames::Function& f) {
  std::string out = f.name + "(";
  for (const auto& p : f.params) out += p.type + "|" + p.name + (&p == &f.params.back() ? "" : ", ");
  return out + ")";
}

}  // namespace

TEST_CASE("source names: parameters of kernels and host functions, however they are declared") {
  const SourceNames n = read_source_names(
      "__global__ void scale(const float* __restrict__ data, int n) {}\n"
      "template <class T, int N>\n__global__ void __launch_bounds__(256) sum(T *in, T out[N], unsigned int n "
      "= 3) {\n"
      "  if (n) { for (;;) {} }\n}\n"
      "void reduce(const std::vector<int>& rows, float (*tile)[32], size_t) { scale<<<1, 2>>>(nullptr, 1); "
      "}\n"
      "int later(int x);\n",
      "a.cu");
  REQUIRE(n.functions.size() == 3);
  CHECK(signature_of(n.functions[0]) == "scale(const float *|data, int|n)");
  CHECK(signature_of(n.functions[1]) == "sum(T *|in, T *|out, unsigned int|n)");
  CHECK(n.functions[1].line == 3);
  CHECK(n.functions[2].params[0].name == "rows");
  CHECK(n.functions[2].params[1].name == "tile");
  CHECK(n.functions[2].params[2].name == "");
  CHECK(n.functions[2].params[2].type == "size_t");
}

TEST_CASE("source names: of two functions of a name, the one of the parameters, then of the line") {
  const SourceNames n = read_source_names(
      "__global__ void k(int* a) {}\n#ifdef X\n__global__ void k(int* b, int n) {}\n#else\n"
      "__global__ void k(int* c, int n) {}\n#endif\n",
      "a.cu");
  CHECK(n.function("k", 1, 1)->params[0].name == "a");
  CHECK(n.function("k", 2, 3)->params[0].name == "b");
  CHECK(n.function("k", 2, 9)->params[0].name == "c");
  CHECK(n.function("k", 3, 1) == nullptr);
}

TEST_CASE("source names: arrays have the extents that constants give them") {
  const SourceNames n = read_source_names(
      "#define TILE 16\nconstexpr int pad = 1;\n__constant__ float taps[2 * TILE + pad];\n"
      "__device__ int counts[0x10], total;\n"
      "template <int N> __global__ void k() { __shared__ float tile[TILE][TILE + pad], rest[N];\n"
      "  extern __shared__ double all[]; }\n__device__ int helper(int x) { return x; }\n",
      "a.cu");
  REQUIRE(n.arrays.size() == 6);
  CHECK(n.arrays[0] == SourceNames::Variable{"float", "taps", {33}});
  CHECK(n.arrays[1] == SourceNames::Variable{"int", "counts", {16}});
  CHECK(n.arrays[2] == SourceNames::Variable{"int", "total", {}});
  CHECK(n.arrays[3] == SourceNames::Variable{"float", "tile", {16, 17}});
  CHECK(n.arrays[4] == SourceNames::Variable{"float", "rest", {0}});
  CHECK(n.arrays[5] == SourceNames::Variable{"double", "all", {0}});
}

TEST_CASE("source names: a structure's members, and none after one that is not understood") {
  const SourceNames n = read_source_names(
      "struct Grid {\n  float *cells, *next;\n  int width, height;\n  float4 corner[2];\n"
      "  __device__ float at(int i) const { return cells[i]; }\n  static int made;\n  double last;\n};\n"
      "struct Odd { int a; struct { int b; } c; int d; };\n",
      "a.cu");
  REQUIRE(n.structure("Grid"));
  std::string names;
  for (const auto& m : n.structure("Grid")->members) names += m.type + "|" + m.name + ";";
  CHECK(names == "float *|cells;float *|next;int|width;int|height;float4|corner;double|last;");
  CHECK(n.structure("Odd") == nullptr);
}

TEST_CASE("source names: they travel behind the PTX, and never reach the assembler") {
  const SourceNames n = read_source_names(
      "struct P { int x; };\n__shared__ float t[4][8];\n__global__ void k(P* p) {}\n", "b.cu");
  const std::string ptx = with_source_names(".version 8.0\n", n);
  CHECK(source_names_of(ptx) == n);
  CHECK(without_source_names(ptx) == ".version 8.0\n");
  CHECK(source_names_of(".version 8.0\n") == SourceNames());
  CHECK(with_source_names("", n).empty());
  CHECK(source_names_of("//~names\n//~names\tarray\tint\n//~names\tfunction\n").functions.empty());
}

TEST_CASE("source names: any bytes are read without a crash") {
  for (const char* bad :
       {"__global__ void k(", "struct S {", "__shared__", "struct S { float a[; };", "((((((", "k(a,,b) {",
        "__shared__ int t[1/0];", "#define A A\n__shared__ int t[A];", "f(int x = g(1, 2), int = 3) {}"})
    CHECK_NOTHROW(read_source_names(bad, "x.cu"));
  CHECK_NOTHROW(
      read_source_names("constexpr int a = " + std::string(5000, '(') + ";__shared__ int t[a];", "x.cu"));
  // Nor does the time grow with the square of the depth.
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "f(";
  for (int k = 0; k < 100000; ++k) deep += "){";
  CHECK_NOTHROW(read_source_names(deep, "x.cu"));
}
