// Programs of several source files, and what whole programs may have that a lab's step may not: exceptions
// that are not thrown, tables of the mathematics library on both sides, macros of their own headers.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/compile.hpp"
#include "core/compile/own/host_tables.hpp"
#include "core/compile/own/link_units.hpp"
#include "core/compile/own/own_headers.hpp"
#include "host_play.hpp"
#include "ptx/module.hpp"
#include "run/worker/worker_protocol.hpp"

using namespace dojo;
using host_test::Played;

namespace {

std::string two_files(const std::string& first, const std::string& second) {
  Bundle b{first, {}, {}, {}};
  b.units.push_back({"second.cu", second});
  return pack(b);
}

bool unit_says(const Compiled& c, const std::string& words) {
  return std::any_of(c.diagnostics.begin(), c.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
}

Compiled compile_two(const std::string& first, const std::string& second) {
  CompileRequest r;
  r.file = "first.cu";
  r.source = two_files(first, second);
  r.program = true;
  return compile(r);
}

}  // namespace

TEST_CASE("units: two files share functions, kernels and globals, and keep what is static apart") {
  const Played p = host_test::play(two_files(
      R"(#include <cstdio>
static int counter = 3;
static __device__ float scale(float x) { return 2 * x; }
template <class T> __global__ void grow(T* x) { *x += 1; }
__global__ void twice(float* x) { *x = scale(*x); }
namespace { int hidden = 1; }
extern int shared_count;
__global__ void thrice(float* x);
int other(float* x);
int main() {
  float* d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  grow<<<1, 1>>>(d);
  twice<<<1, 1>>>(d);
  thrice<<<1, 1>>>(d);
  const int n = other(d);
  float h;
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%g %d %d %d %d\n", h, n, counter, hidden, shared_count);
  cudaFree(d);
}
)",
      R"(#include <cstdio>
static int counter = 30;
int shared_count = 5;
static __device__ float scale(float x) { return 3 * x; }
template <class T> __global__ void grow(T* x) { *x += 1; }
__global__ void thrice(float* x) { *x = scale(*x); }
namespace { int hidden = 10; }
int other(float* x) {
  grow<<<1, 1>>>(x);
  printf("second file: %d %d\n", counter, hidden);
  counter += hidden;
  shared_count += 1;
  return counter;
}
)"));
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "second file: 30 10\n7 40 3 1 6\n");
  CHECK(p.exit_status == 0);
}

TEST_CASE("units: a name that two files define is told, and one that none defines") {
  const Compiled twice =
      compile_two("int f() { return 1; }\nint main() { return f(); }\n", "int f() { return 2; }\n");
  CHECK_FALSE(twice.ok);
  CHECK(unit_says(twice, "f() is defined here and in first.cu"));
  const Compiled none = compile_two("extern int n;\nint main() { return n; }\n", "int g() { return 2; }\n");
  CHECK_FALSE(none.ok);
  CHECK(unit_says(none, "n is declared extern, and none of the files defines it"));
}

TEST_CASE("units: braces around a call end no function, and units that use nothing of each other are told") {
  using compile_detail::Unit;
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";
  const std::string caller = head +
                             ".extern .func far\n(\n)\n;\n.visible .entry k()\n{\n{ \n\tcall far, ();\n} \n"
                             "\tret;\n}\n.visible .entry l()\n{\n\tret;\n}\n",
                    other = head + ".visible .func far()\n{\n\tret;\n}\n",
                    apart = head + ".visible .func near()\n{\n\tret;\n}\n";
  const std::vector<Unit> units = {{"a", caller}, {"b", other}};
  CHECK(compile_detail::need_each_other(units));
  CHECK_FALSE(compile_detail::need_each_other({{"a", caller}, {"b", apart}}));
  CHECK_FALSE(compile_detail::need_each_other({{"a", caller}}));
  std::vector<Diagnostic> problems;
  const auto module = ptx::parse(compile_detail::link_units(units, &problems));
  CHECK(problems.empty());
  REQUIRE(module->find("k"));
  CHECK(module->find("k")->code.size() == 2);
  CHECK(module->find("l"));
  CHECK(module->find("far")->defined);
}

TEST_CASE("units: an error names the file that it is in") {
  const Compiled c = compile_two("int main() { return 0; }\n", "int f() {\n  return nothing;\n}\n");
  CHECK_FALSE(c.ok);
  REQUIRE(!c.diagnostics.empty());
  CHECK(c.diagnostics.front().where.file == "second.cu");
  CHECK(c.diagnostics.front().where.line == 2);
}

TEST_CASE("bundles: files, headers and further units come back as they went in") {
  Bundle b{"main", {{"a.h", "x\xAE"}}, {"folder"}, {{"b.cu", "text"}}};
  const Bundle back = unpack(pack(b));
  CHECK(back.text == "main");
  REQUIRE(back.headers.size() == 1);
  CHECK(back.headers[0].text == "x\xAE");
  CHECK(back.folders == b.folders);
  REQUIRE(back.units.size() == 1);
  CHECK(back.units[0].name == "b.cu");
  // Headers that hold Latin-1 comments reach the worker unchanged.
  CompileRequest r;
  r.source = pack(b);
  uint64_t id = 0;
  const auto sent = run::decode_compile_request(run::encode(r, 7), &id);
  REQUIRE(sent);
  CHECK(id == 7);
  CHECK(sent->source == r.source);
}

TEST_CASE("exceptions: a handler runs; what none takes ends with its words and a finding") {
  const std::string text = R"(#include <cstdio>
#include <stdexcept>
#include <vector>
struct Buffer {
  float* p;
  Buffer() { cudaMalloc(&p, 64); }
  ~Buffer() { cudaFree(p); }
};
int half(int n) {
  Buffer b;
  if (n % 2) throw std::invalid_argument("odd");
  return n / 2;
}
int main(int argc, char**) {
  try {
    printf("%d\n", half(argc > 1 ? 3 : 4));
  } catch (const std::exception& e) {
    printf("caught %s\n", e.what());
    if (argc == 2) return 1;
    throw;
  }
  return 0;
}
)";
  const Played fine = host_test::play(text);
  CHECK(fine.printed == "2\n");
  CHECK(fine.exit_status == 0);
  const Played caught = host_test::play(text, {"x"});
  CHECK(caught.printed == "caught odd\n");
  CHECK(caught.exit_status == 1);
  CHECK(caught.findings.empty());
  const Played bad = host_test::play(text, {"x", "y"});
  CHECK(bad.stopped);
  CHECK(
      bad.printed ==
      "caught odd\nterminate called after throwing an instance of 'std::invalid_argument'\n  what():  odd\n");
  REQUIRE(!bad.findings.empty());
  CHECK(bad.findings.front().message ==
        "an exception is thrown and not caught: std::invalid_argument, odd. To handle it, put the calls that "
        "lead "
        "here into try { ... } catch (const std::invalid_argument& e) { ... }");
  CHECK(bad.findings.front().where.line == 20);
}

TEST_CASE("globals of the host: with constructor arguments, and declared with their struct") {
  const Played p = host_test::play(R"(#include <cstdio>
dim3 threads(32, 2);
struct Case {
  int n;
  const char* name;
} cases[] = {{1, "one"}, {2, "two"}}, single = {3, "three"};
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  for (const Case& c : cases) printf("%d %s\n", c.n, c.name);
  printf("%s %d\n", single.name, threads.x * threads.y);
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "1 one\n2 two\nthree 64\n");
}

TEST_CASE("mathematics: sin and cos of large arguments, in host code and in a kernel of one program") {
  const Played p = host_test::play(R"(#include <cstdio>
#include <cmath>
__global__ void k(double* p) { p[threadIdx.x] = sin(p[threadIdx.x]) + cos(p[threadIdx.x]); }
int main() {
  double* d;
  double h = 1e7, mine = h;
  cudaMalloc(&d, 8);
  cudaMemcpy(d, &h, 8, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost);
  cudaFree(d);
  volatile double x = mine;
  const double same = sin(x) + cos(x);
  printf("%.12f %d\n", h, h - same < 1e-12 && same - h < 1e-12);
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);

  CHECK(p.printed == "-0.486722592991 1\n");
}

TEST_CASE("mathematics: a kernel that reads a table of the library is not copied for the host") {
  const char* ptx =
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".global .align 4 .b8 __cudart_i2opi_f[24] = {65, 144};\n"
      ".visible .entry k()\n{\nmov.u64 %rd1, __cudart_i2opi_f;\nret;\n}\n"
      ".func f()\n{\nmov.u64 %rd1, __cudart_i2opi_f;\nret;\n}\n"
      ".visible .func host()\n{\nmov.u64 %rd1, k;\ncall f, ();\nret;\n}\n";
  const std::string both = compile_detail::with_host_tables(ptx);
  CHECK(both.find("__cudart_i2opi_f$host") != std::string::npos);
  CHECK(both.find("k$host") == std::string::npos);
  CHECK(both.find("mov.u64 %rd1, k;") != std::string::npos);
}

TEST_CASE("own headers: a macro for __device__ that a header defines counts in every file") {
  Bundle b{
      "#include \"spaces.h\"\nDEV static int lane() { return threadIdx.x; }\n"
      "GLOBAL void k(int* p) { p[0] = lane(); }\nint main() { return 0; }\n",
      {{"spaces.h",
        "#ifdef __CUDACC__\n#define DEV __device__\n#define GLOBAL __global__\n#else\n#define DEV\n"
        "#define GLOBAL\n#endif\n"}},
      {},
      {}};
  CompileRequest r;
  r.file = "main.cu";
  r.source = pack(b);
  r.program = true;
  const Compiled c = compile(r);
  for (const Diagnostic& d : c.diagnostics) MESSAGE(d.message);
  CHECK(c.ok);
}

TEST_CASE("a kernel of Thrust's stand-in is shown under Thrust's name") {
  CHECK(ptx::demangled("_ZN6_thrst6detail5applyIiEEvPi") == "void thrust::detail::apply<int>(int*)");
}

TEST_CASE("text that is no number throws as std::stoi says, and the rest of a text is left") {
  const Played p = host_test::play(R"(#include <cstdio>
#include <string>
int main() {
  size_t length = 0;
  const int first = std::stoi("12ab", &length);
  printf("%d %d %lu %g\n", first, int(length), std::stoul("ff", nullptr, 16), std::stod("2.5e3x"));
  fflush(stdout);
  printf("%d\n", std::stoi("x"));
}
)");
  CHECK(p.printed ==
        "12 2 255 2500\nterminate called after throwing an instance of "
        "'std::invalid_argument'\n  what():  stoi\n");
  CHECK(p.stopped);
  REQUIRE(!p.findings.empty());
  CHECK(p.findings.front().message.find("not caught: std::invalid_argument, stoi") != std::string::npos);
}

TEST_CASE("a wait for a condition that no thread can signal any more says so") {
  const Played p = host_test::play(R"(#include <condition_variable>
#include <cstdio>
#include <thread>
int main() {
  std::mutex m;
  std::condition_variable changed;
  int rounds = 0;
  std::thread other([&] { ++rounds; });
  std::unique_lock<std::mutex> lock(m);
  changed.wait(lock, [&] { return rounds == 1; });
  printf("%d\n", rounds);
  changed.wait(lock, [&] { return rounds == 2; });
}
)");
  CHECK(p.printed == "1\n");
  CHECK(p.stopped);
  REQUIRE(!p.findings.empty());
  CHECK(p.findings.front().kind == FindingKind::deadlock);
  CHECK(p.findings.front().message.find("no other thread can run") != std::string::npos);
}
