// Programs that end natively by a signal: calls back without end, kernels called as functions, and shared
// memory in host code. Each is a finding at its line.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "host_play.hpp"

using namespace dojo;
using host_test::Played;

namespace {

/// Plays a program that one finding ends, in this line and with these words.
void ends_at(const std::string& source, int line, FindingKind kind, const std::string& words) {
  CAPTURE(source);
  const Played p = host_test::play(source);
  CHECK(p.stopped);
  REQUIRE(p.findings.size() >= 1);
  CHECK(p.findings[0].kind == kind);
  CHECK(p.findings[0].where.line == line);
  CHECK_MESSAGE(p.findings[0].message.find(words) != std::string::npos, p.findings[0].message);
}

}  // namespace

TEST_CASE("host: qsort, bsearch and exit that call back without end are stopped at the call") {
  const std::string overflow = "The host stack overflowed: 500 calls back within each other, the last of ";
  ends_at(R"(#include <cstdlib>
int x[8];
int compare(const void*, const void*) {
  qsort(x, 8, 4, compare);
  return 0;
}
int main() { qsort(x, 8, 4, compare); }
)",
          4, FindingKind::host_error, overflow + "compare.");
  ends_at(R"(#include <cstdlib>
int x[8];
int find(const void*, const void*) {
  bsearch(x, x, 8, 4, find);
  return 1;
}
int main() { bsearch(x, x, 8, 4, find); }
)",
          4, FindingKind::host_error, overflow + "find.");
  ends_at(R"(#include <cstdlib>
void again() {
  atexit(again);
  exit(1);
}
int main() {
  atexit(again);
  exit(0);
}
)",
          4, FindingKind::host_error, overflow + "again.");
}

TEST_CASE("host: an exit function runs once, and one that calls exit() leaves the others to run") {
  const Played p = host_test::play(R"(#include <cstdio>
#include <cstdlib>
void first() { printf("first\n"); }
void second() { printf("second\n"); exit(4); }
int main() {
  atexit(first);
  atexit(second);
  exit(3);
}
)");
  CHECK(p.printed == "second\nfirst\n");
  CHECK(p.exit_status == 4);
  CHECK(p.findings.empty());
}

TEST_CASE("host: a comparison may sort in turn, as deep as arrays nest; their elements have a limit") {
  CHECK(host_test::play(R"(#include <cstdio>
#include <cstdlib>
int depth, deepest, x[2] = {2, 1};
int compare(const void* a, const void* b) {
  if (++depth < 100) qsort(x, 2, 4, compare);
  deepest = depth > deepest ? depth : deepest;
  --depth;
  return *(const int*)a - *(const int*)b;
}
int main() {
  qsort(x, 2, 4, compare);
  printf("%d %d\n", deepest, x[0]);
}
)")
            .printed == "100 1\n");
  ends_at(R"(#include <cstdlib>
char* bytes;
int compare(const void*, const void*) {
  qsort(bytes, 1 << 25, 1, compare);
  return 0;
}
int main() {
  bytes = (char*)malloc(1 << 25);
  qsort(bytes, 1 << 25, 1, compare);
}
)",
          4, FindingKind::unsupported, "with those of the calls that it is called from");
}

TEST_CASE("host: a kernel that is called as a function is a finding with its name") {
  const std::string words = "Host code calls the kernel fill as a function. Launch it with <<<...>>>.";
  ends_at(R"(__global__ void fill(int* p) { *p = int(threadIdx.x); }
int main() {
  cudaLaunchHostFunc(0, (cudaHostFn_t)(void*)fill, 0);
  cudaDeviceSynchronize();
}
)",
          3, FindingKind::unsupported, words);
  ends_at(R"(__global__ void fill(int* p) { *p = int(threadIdx.x); }
int main() {
  void (*volatile f)(int*) = fill;
  f(nullptr);
}
)",
          4, FindingKind::unsupported, words);
  ends_at(R"(#include <cstdlib>
__global__ void fill(int* p) { *p = int(threadIdx.x); }
int main() {
  atexit((void (*)())(void*)fill);
  exit(0);
}
)",
          5, FindingKind::unsupported, words);
}

TEST_CASE("host: shared memory, ranks and elections of a kernel's threads are refused in host code") {
  const std::string shared = "shared memory in host code", rank = "a block's rank in host code";
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"ld.shared.u32 r, [z];", shared},
      {"st.shared.u32 [z], r;", shared},
      {"ld.shared.u32 r, [64];", shared},
      {"ld.volatile.shared.u64 w, [a];", shared},
      {"st.shared::cta.v2.u32 [a], {r, r};", shared},
      {"mapa.u64 w, a, 0;", shared},
      {"getctarank.u32 r, a;", rank},
      {"getctarank.shared::cluster.u32 r, z;", rank},
      {"elect.sync r|p, -1;", "elect in host code"}};
  for (const auto& [instruction, why] : refused)
    ends_at(
        "int main() {\n  asm volatile(\"{.shared .align 8 .b8 z[16]; .reg .b32 r; .reg .b64 w, a; .reg .pred "
        "p; "
        "mov.u32 r, 5; mov.u64 a, 8; " +
            instruction + "}\");\n}\n",
        2, FindingKind::unsupported, why);
}
