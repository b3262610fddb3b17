// `warpdojo play` as a user calls it: options of the compiler, and findings of the program as written.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "shell.hpp"

using namespace dojo;
using dojo::test::has;
using test::Shell;
using test::TempFolder;

TEST_CASE("play: templates unfold over an index sequence") {
  TempFolder t;
  t.write("p.cu",
          "#include <cstdio>\n#include <utility>\n"
          "template <size_t... I> __device__ int dot(const int* a, std::index_sequence<I...>) {\n"
          "  return ((a[I] * int(I)) + ...);\n}\n"
          "__global__ void k(const int* a, int* out) { *out = dot(a, std::make_index_sequence<5>()); }\n"
          "template <class T, T... I> int count(std::integer_sequence<T, I...> s) { return int(s.size()); }\n"
          "int main() {\n  int *a, *out;\n  cudaMallocManaged(&a, 20);\n  cudaMallocManaged(&out, 4);\n"
          "  for (int i = 0; i < 5; ++i) a[i] = i + 1;\n  k<<<1, 1>>>(a, out);\n"
          "  cudaDeviceSynchronize();\n"
          "  printf(\"%d %d\\n\", *out, count(std::make_integer_sequence<short, 1100>()));\n"
          "  cudaFree(a);\n  cudaFree(out);\n}\n");
  CHECK(test::shell(t, find_root().string(), "cd '" + t.path.string() + "'; $W play p.cu")
            .out.find("40 1100\n") != std::string::npos);
}

TEST_CASE("play: leaks of one line are told as one, in the words of the host that are joined") {
  TempFolder t;
  t.write("p.cu", "int main() {\n  int* p[3];\n  for (int i = 0; i < 3; ++i) cudaMalloc(&p[i], 4000);\n}\n");
  const Shell s = test::shell(t, find_root().string(), "cd '" + t.path.string() + "'; $W play p.cu");
  CHECK(has(s.out + s.err, "12,000 bytes of"));
  CHECK(has(s.out + s.err, "in 3 allocations ("));
}

TEST_CASE("play: C++20 is asked for as nvcc takes it; without it a header of C++20 says so") {
  TempFolder t;
  t.write("p.cu",
          "#include <span>\n#include <cstdio>\n"
          "int main() {\n  int a[3] = {1, 2, 4}, all = 0;\n  for (int v : std::span(a).last(2)) all += v;\n"
          "  printf(\"%d\\n\", all);\n}\n");
  const std::string play = "cd '" + t.path.string() + "'; $W play p.cu ";
  const auto run = [&](const std::string& words) {
    return test::shell(t, find_root().string(), play + words);
  };
  CHECK(run("-std=c++20").out == "6\n");
  CHECK(run("--std c++20").out == "6\n");
  const Shell none = run("");
  CHECK(none.status == 3);
  CHECK(has(none.out + none.err, "<span> is of C++20 or later, and files are compiled as C++17 here"));
  CHECK(run("-std=c++11").status != 0);
}

TEST_CASE(
    "play: a struct that is copied with its padding is no finding; an unwritten member that is used is one") {
  TempFolder t;
  t.write("p.cu", R"cu(#include <cstdio>
struct State {
  int count;
  float extra;
  char kind;
  double sum;  // behind seven bytes of padding
};
__global__ void prepare(State* s, bool all) {
  s->count = 1;
  if (all) s->extra = 3;
  s->kind = 'x';
  s->sum = 4;
}
__global__ void use(State* s, double* out) {
  State local = *s;
  local.count++;
  *out = local.sum + local.extra;
  *s = local;
}
int main(int argc, char**) {
  State* s;
  double *out, h;
  cudaMalloc(&s, sizeof *s);
  cudaMalloc(&out, sizeof *out);
  prepare<<<1, 1>>>(s, argc == 1);
  use<<<1, 1>>>(s, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  if (argc == 1) printf("%g\n", h);
  cudaFree(s);
  cudaFree(out);
}
)cu");
  const std::string play = "cd '" + t.path.string() + "'; $W play p.cu ";
  const Shell right = test::shell(t, find_root().string(), play);
  CHECK(right.status == 0);
  CHECK(right.out == "7\n");
  CHECK(!has(right.out + right.err, "uninitialized"));
  const Shell wrong = test::shell(t, find_root().string(), play + "-- less");
  CHECK(has(wrong.out + wrong.err, "uninitialized"));
}
