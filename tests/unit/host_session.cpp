// Whole programs on the modelled H100: what they print, how they end, what is found.
#include <doctest/doctest.h>

#include <cstring>

#include "core/error.hpp"
#include "host_play.hpp"

using namespace dojo;
using host_test::play;
using host_test::Played;

namespace {
bool found(const Played& p, FindingKind kind, int line, const std::string& words = {}) {
  for (const Diagnostic& d : p.findings)
    if (d.kind == kind && d.where.line == line && d.message.find(words) != std::string::npos) return true;
  for (const Diagnostic& d : p.findings)
    MESSAGE(d.where.line << " " << to_string(d.kind) << ": " << d.message);
  return false;
}
}  // namespace

TEST_CASE("a program's exit status is main's, exit()'s, or abort()'s") {
  CHECK(play("int main() { return 7; }").exit_status == 7);
  CHECK(play("int main() { exit(3); }").exit_status == 3);
  CHECK(play("void bye() { printf(\"bye\\n\"); }\nint main() { atexit(bye); exit(0); }").printed == "bye\n");
  CHECK(play("int main() { abort(); }").exit_status == 134);
  CHECK(play("int main() { printf(\"no return\\n\"); }").exit_status == 0);
}

TEST_CASE("host code that reads device memory is stopped with what to do") {
  const Played p = play("int main() {\n  int* d;\n  cudaMalloc(&d, 40);\n  int v = d[3];\n  return v;\n}\n");
  CHECK(p.stopped);
  CHECK(found(p, FindingKind::wrong_space, 4));
}

TEST_CASE("host code out of its own bounds is stopped") {
  CHECK(found(play("int main() {\n  int* h = (int*)malloc(40);\n  h[10] = 1;\n  return 0;\n}\n"),
              FindingKind::out_of_bounds, 3));
  CHECK(found(play("int main() {\n  int* h = (int*)malloc(40);\n  free(h);\n  h[0] = 1;\n  return 0;\n}\n"),
              FindingKind::use_after_free, 4));
  // The instruction that accesses a freed buffer has accessed it before, between two others.
  const std::string loop =
      "int main() {\n  int *a = (int*)malloc(40), *b = (int*)malloc(40);\n  for (int i = 0; i < 4; ++i) {\n"
      "    int* p = i % 2 ? a : b;\n    p[1] = i;\n    if (i == 1) free(a);\n  }\n  return 0;\n}\n";
  CHECK(found(play(loop), FindingKind::use_after_free, 5));
  CHECK(play("int main() { int* p = nullptr; *p = 1; return 0; }").stopped);
}

TEST_CASE("host code that divides by zero is stopped at its line") {
  const Played p = play("int main(int argc, char**) {\n  const int per = argc - 1;\n  return 32 / per;\n}\n");
  CHECK(p.stopped);
  CHECK(found(p, FindingKind::division_by_zero, 3, "Host code divides an integer by zero."));
}

TEST_CASE("a launch error that the call itself returns is the program's to look at") {
  const std::string kernel = "#include <cstdio>\n__global__ void k(int) {}\nint main() {\n";
  const Played by_configuration = play(kernel + R"(  cudaLaunchConfig_t c{};
  c.gridDim = 1;
  c.blockDim = 2000;
  if (cudaLaunchKernelEx(&c, k, 1) != cudaSuccess) printf("refused");
})");
  CHECK(by_configuration.printed == "refused");
  CHECK(by_configuration.findings.empty());
  const Played by_arguments = play(kernel + R"(  int one = 1;
  void* arguments[] = {&one};
  if (cudaLaunchKernel(k, 1, 2000, arguments) != cudaSuccess) printf("refused");
})");
  CHECK(by_arguments.printed == "refused");
  CHECK(by_arguments.findings.empty());
  // A result that nothing reads tells nothing.
  const Played dropped = play(kernel + R"(  int one = 1;
  void* arguments[] = {&one};
  cudaLaunchKernel(k, 1, 2000, arguments);
})");
  CHECK(found(dropped, FindingKind::launch_error, 6, "2000 threads"));
}

TEST_CASE("a launch error that no code looks at is a finding, one that is looked at is not") {
  const char* kernel = "__global__ void k() {}\n";
  CHECK(found(
      play(std::string(kernel) + "int main() {\n  k<<<1, 2000>>>();\n  return cudaDeviceSynchronize();\n}\n"),
      FindingKind::launch_error, 3, "2000 threads"));
  CHECK(play(std::string(kernel) + "int main() { k<<<1, 2000>>>(); return cudaGetLastError() == 9 ? 0 : 1; }")
            .findings.empty());
}

TEST_CASE("a leak is a warning with the place and the name") {
  const Played p = play("int main() {\n  float* d_x;\n  cudaMalloc(&d_x, 100);\n  return 0;\n}\n");
  CHECK(p.exit_status == 0);
  CHECK(found(p, FindingKind::leak, 3, "d_x"));
  CHECK(p.findings.at(0).severity == Severity::warning);
}

TEST_CASE("an assertion of the host ends the program with its text") {
  const Played p =
      play("#include <cassert>\nint main(int argc, char** argv) {\n  assert(argc == 9);\n  return 0;\n}\n");
  CHECK(p.stopped);
  CHECK(found(p, FindingKind::assert, 3, "argc == 9"));
  CHECK(p.printed.find("Assertion `argc == 9' failed.") != std::string::npos);
}

TEST_CASE("an entry that ends the program instead of returning is told so") {
  const auto why = [](const std::string& body) {
    host_test::Loaded l("void f() {\n  " + body + "\n}\n");
    l.session->call("f", {});
    const auto findings = l.session->take_findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::exit);
    CHECK(findings[0].where.line == 2);
    return findings[0].message;
  };
  CHECK(why("abort();") ==
        "abort() ends the program before f() returns, so its caller gets no results. Return instead.");
  CHECK(why("exit(3);").starts_with("exit(3) ends the program"));
  CHECK(why("_Exit(0);").starts_with("_Exit(0) ends the program"));
}

TEST_CASE("a grid beyond the limits of CUDA names its extent") {
  const std::string kernel = "__global__ void k() {}\nint main() {\n  k<<<";
  CHECK(found(play(kernel + "2147483648u, 32>>>();\n}\n"), FindingKind::launch_error, 3,
              "the grid (2147483648, 1, 1) is over 2,147,483,647 in x"));
  CHECK(found(play(kernel + "dim3(1, 65536), 32>>>();\n}\n"), FindingKind::launch_error, 3,
              "over 65,535 in y or z"));
}

TEST_CASE("a grid of more blocks than can run is stopped before it starts") {
  const Played p = play(
      "__global__ void k(int* x) { *x = 1; }\nint main() {\n  int* x;\n  cudaMalloc(&x, 4);\n"
      "  k<<<2147483647, 1024>>>(x);\n  return cudaDeviceSynchronize();\n}\n");
  CHECK(p.stopped);
  CHECK(found(p, FindingKind::timeout, 5,
              "the grid of k has 2,147,483,647 blocks of 1024 threads, and at most"));
}

TEST_CASE("a text that printf can't read is found, in kernels and in host code") {
  const std::string print = "printf(\"%s\\n\", (char*)0x1234);";
  CHECK(found(play("__global__ void k() {\n  " + print + "\n}\nint main() {\n  k<<<1, 1>>>();\n" +
                   "  return cudaDeviceSynchronize();\n}\n"),
              FindingKind::out_of_bounds, 2, "printf's %s reads a text at 0x1234 (no allocation)"));
  CHECK(found(play("int main() {\n  " + print + "\n}\n"), FindingKind::out_of_bounds, 2,
              "printf's %s reads a text at 0x1234 (no allocation)"));
  CHECK(play("__global__ void k() { printf(\"%s, %s\\n\", \"well\", (char*)nullptr); }\n"
             "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
            .printed == "well, (null)\n");
}

TEST_CASE("a wrong direction of a copy is told by both names, and that of a symbol has a default") {
  const std::string head =
      "__constant__ float w[4];\n__global__ void k(float* p) { p[0] = w[0]; }\n"
      "int main() {\n  float h[4] = {}, *d;\n  cudaMalloc(&d, 16);\n";
  const std::string tail = "  cudaFree(d);\n}\n";
  CHECK(found(play(head + "  cudaMemcpyToSymbol(w, d, 16);\n" + tail), FindingKind::wrong_space, 6,
              "cudaMemcpyToSymbol: its source d is device memory, but cudaMemcpyHostToDevice (the default) "
              "says host memory. Pass cudaMemcpyDeviceToDevice."));
  CHECK(found(play(head + "  cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost);\n" + tail),
              FindingKind::wrong_space, 6,
              "cudaMemcpy: its destination d is device memory, but cudaMemcpyDeviceToHost says host memory. "
              "Check the direction and the order of the pointers."));
}

TEST_CASE("findings of host code name the variable, the line where it was freed, and what to pass") {
  const std::string head =
      "__constant__ float w[7];\n__global__ void k(float* p) { p[threadIdx.x] = w[0]; }\n"
      "int main() {\n  float h[7] = {}, *d;\n  cudaMalloc(&d, 28);\n";
  CHECK(found(play(head + "  cudaFree(d);\n  cudaMemcpy(h, d, 28, cudaMemcpyDeviceToHost);\n}\n"),
              FindingKind::use_after_free, 7,
              "its source d was freed at line 6. Free it after its last use."));
  CHECK(found(play(head + "  cudaFree(d);\n  cudaFree(d);\n}\n"), FindingKind::use_after_free, 7,
              "cudaFree of d, which was freed before at line 6."));
  CHECK(found(play(head + "  cudaMemcpyToSymbol(\"w\", h, 28);\n  cudaFree(d);\n}\n"),
              FindingKind::wrong_space, 6, "Pass the variable itself, without quotation marks."));
  CHECK(found(play(head + "  cudaMemcpyToSymbol(w, h, 7);\n  cudaFree(d);\n}\n"), FindingKind::host_error, 6,
              "cudaMemcpyToSymbol copies 7 of the 28 bytes of w. Its size is in bytes"));
  CHECK(found(play(head + "  k<<<7, 2048>>>(d);\n  cudaFree(d);\n}\n"), FindingKind::launch_error, 6,
              "has 2048 threads, this device allows 1024. Launch more blocks of fewer threads"));
  CHECK(found(
      play(head + "  k<<<256, 2048>>>(d);\n  cudaFree(d);\n}\n"), FindingKind::launch_error, 6,
      "has 2048 threads, this device allows 1024. The grid comes first: <<<blocks, threads per block>>>"));
}

TEST_CASE("__shared__ arrays of fixed size beyond 48 KiB are refused with the kernel's name and bytes") {
  const auto load = [](int floats) {
    host_test::Loaded l("__global__ void k(float* p) {\n  __shared__ float s[" + std::to_string(floats) +
                        "];\n  s[threadIdx.x] = p[0];\n  __syncthreads();\n  p[1] = s[p[2] > 0];\n}\n"
                        "int main() { return 0; }\n");
  };
  CHECK_NOTHROW(load(12288));
  CHECK_THROWS_WITH_AS(load(12289),
                       "k has 49,156 bytes of __shared__ arrays of fixed size; at most 49,152 bytes are "
                       "allowed. Make the arrays smaller, or use dynamic shared memory.",
                       RunStopped);
}

TEST_CASE("globals, statics, literals, tables of kernels, callbacks") {
  const Played p = play(R"(
int counter = 5;
const char* names[] = {"zero", "one"};
static int table[3] = {1, 2, 3};
__global__ void a(int* x) { x[0] = 1; }
__global__ void b(int* x) { x[0] = 2; }
typedef void (*Kernel)(int*);
int next() { static int calls = 10; return ++calls; }
int main() {
  Kernel kernels[] = {a, b};
  int *d, h = 0;
  cudaMalloc(&d, 4);
  for (int i = 0; i < 2; ++i) {
    kernels[i]<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%s %d\n", names[i], h);
  }
  counter += table[2];
  next();
  printf("%d %d\n", counter, next());
  auto add = [&](int v) { counter += v; };
  add(4);
  printf("%d\n", counter);
  cudaFree(d);
  return 0;
}
)");
  CHECK(p.printed == "zero 1\none 2\n8 12\n12\n");
  CHECK(p.findings.empty());
}

TEST_CASE("an entry function is called with addresses and numbers, and must fit") {
  const std::string source =
      "__global__ void fill(float* x, int n, float v) { if (threadIdx.x < n) x[threadIdx.x] = v; }\n"
      "int entry(float* x, int n, double v) { fill<<<1, 64>>>(x, n, float(v)); return n + 1; }\n";
  host_test::Loaded l(source);
  uint64_t x = 0;
  REQUIRE(l.device->allocate(&x, 64, Owner::device, "x", {}).ok());
  auto bytes = [](auto v) {
    std::vector<std::byte> b(sizeof v);
    std::memcpy(b.data(), &v, sizeof v);
    return b;
  };
  const std::vector<std::vector<std::byte>> args = {bytes(x), bytes(int32_t(16)), bytes(2.5)};
  const host::Ended e = l.session->call("entry", args);
  int32_t returned = 0;
  std::memcpy(&returned, e.returned.data(), 4);
  CHECK(returned == 17);
  float v[16];
  std::memcpy(v, l.device->memory().at(x, 64), 64);
  CHECK(v[0] == 2.5f);
  CHECK(v[15] == 2.5f);
  CHECK_THROWS_AS(l.session->call("missing", args), Error);
  const std::vector<std::vector<std::byte>> few = {bytes(x)};
  CHECK_THROWS_AS(l.session->call("entry", few), Error);
}

TEST_CASE("host and device text come in order") {
  CHECK(
      play(
          "__global__ void k(int i) { printf(\"k%d\\n\", i); }\nint main() {\n  printf(\"a\\n\"); k<<<1, "
          "1>>>(0);\n"
          "  cudaDeviceSynchronize(); printf(\"b\\n\"); k<<<1, 1>>>(1); return cudaDeviceSynchronize();\n}\n")
          .printed == "a\nk0\nb\nk1\n");
}

TEST_CASE("the clock moves with the work done, the same on every run") {
  const std::string source =
      "#include <chrono>\n#include <ctime>\nint main() {\n"
      "  auto a = std::chrono::steady_clock::now(); clock_t c = clock();\n"
      "  volatile int s = 0; for (int i = 0; i < 3000; ++i) s += i;\n"
      "  auto b = std::chrono::steady_clock::now();\n"
      "  printf(\"%ld %ld\\n\", (long)(b - a).count(), (long)c); return (b - a).count() > 3000 ? 0 : 1; }\n";
  const Played p = play(source), q = play(source);
  CHECK(p.exit_status == 0);
  CHECK(p.printed == q.printed);
}
