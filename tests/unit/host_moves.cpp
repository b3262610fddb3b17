// Host code that moves and fills its own memory: one call of the host interpreter, at the rate of a copy
// between two host addresses.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "host_play.hpp"

using namespace dojo;
using dojo::tolerance::within;
using host_test::Loaded;
using host_test::play;

namespace {

constexpr int n = 1 << 20;

/// What one call of f() takes, in a file that begins with the C and C++ headers.
struct Taken {
  uint64_t instructions;
  double us;
};
Taken taken(const std::string& body) {
  Loaded l("#include <algorithm>\n#include <cstring>\nstatic char a[1 << 20], b[1 << 20];\nvoid f() {\n  " +
           body + "\n}\n");
  const double before = l.device->end_to_end_us();
  l.session->call("f", {});
  for (const Diagnostic& d : l.session->take_findings()) FAIL_CHECK(d.message);
  return {l.session->host_instructions(), l.device->end_to_end_us() - before};
}

}  // namespace

TEST_CASE("memcpy, memmove, memset, std::copy and std::fill of a megabyte are one call each") {
  const double moved = n / 10e3, end = taken("").us;  // an H100's pageable_gbps, and the wait at the end
  CHECK(taken("cudaMemcpy(b, a, sizeof a, cudaMemcpyHostToHost);").us - end == within(moved, 1e-6));
  for (const char* body :
       {"memcpy(b, a, sizeof a);", "std::memcpy(b, a, sizeof a);", "memmove(b, a, sizeof a);",
        "memset(b, 1, sizeof b);", "std::memset(b, 1, sizeof b);", "std::copy(a, a + sizeof a, b);",
        "std::copy_n((const float*)a, sizeof a / 4, (float*)b);",
        "std::fill((int*)b, (int*)(b + sizeof b), 7);", "std::fill_n((float*)b, sizeof b / 4, 1.5f);",
        "auto g = [&] { memcpy(b, a, sizeof a); }; g();"}) {
    CAPTURE(body);
    const Taken t = taken(body);
    CHECK(t.instructions < 200);
    CHECK(t.us - end == within(moved, 1e-6));
  }
}

TEST_CASE("moved and filled bytes arrive, in arrays, local variables and classes") {
  CHECK(play(R"(
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>
struct Pair { short a; char b; };
__global__ void bits(float x, unsigned* out) { memcpy(out, &x, sizeof x); }
int main() {
  float x = 1.0f;
  unsigned u;
  memcpy(&u, &x, sizeof u);
  std::vector<int> v(5, 1), w(5);
  std::copy(v.begin(), v.end(), w.begin());
  std::fill(v.begin() + 1, v.end(), 9);
  Pair p[3], q[3];
  std::fill(p, p + 3, Pair{7, 'x'});
  std::copy_n(p, 3, q);
  std::string s[2], t[2] = {"left", "right"};
  std::copy(t, t + 2, s);
  long wide[4];
  std::fill_n(wide, 4, 3);
  int none[1] = {4};
  std::fill_n(none, 0, 8);
  std::copy_n(v.data(), -1, none);
  unsigned* d;
  cudaMalloc(&d, 4);
  bits<<<1, 1>>>(2.0f, d);
  unsigned h;
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%x %x %d %d %d%c %s %ld %d\n", u, h, v[4], w[4], q[2].a, q[2].b, s[1].c_str(), wide[3], none[0]);
}
)")
            .printed == "3f800000 40000000 9 1 7x right 3 4\n");
}

TEST_CASE("memcpy out of bounds is found under its own name") {
  const auto p = play(
      "#include <cstring>\nint main() {\n  char* a = (char*)malloc(8);\n  char b[16];\n"
      "  memcpy(a, b, sizeof b);\n  return a[0];\n}\n");
  REQUIRE(p.findings.size() == 1);
  CHECK(p.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(p.findings[0].where.line == 5);
  CHECK(p.findings[0].message.starts_with("memcpy writes 16 bytes at "));
}
