#include <doctest/doctest.h>

#include <algorithm>

#include "compiled.hpp"
#include "core/compile.hpp"

using namespace dojo;

using dojo::test::compiled;

namespace {
std::string first(const Compiled& c) {
  return c.diagnostics.empty() ? std::string() : c.diagnostics[0].message;
}
bool says(const Compiled& c, const std::string& words) {
  return std::any_of(c.diagnostics.begin(), c.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
}
}  // namespace

TEST_CASE("a whole program compiles, kernels and host functions with their line table") {
  const Compiled c = compiled(R"(#include <cuda_runtime.h>
#include <cstdio>
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main(int argc, char** argv) {
  float* x;
  cudaMalloc((void**)&x, 4 * argc);
  cudaMalloc(&x, 400);
  scale<<<1, 100>>>(x, 100);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaFree(x);
}
)");
  CAPTURE(first(c));
  REQUIRE(c.ok);
  CHECK(c.ptx.find(".entry _Z5scalePfi") != std::string::npos);
  CHECK(c.ptx.find("__cudaCDP2LaunchDeviceV2") != std::string::npos);
  CHECK(c.ptx.find("\"t.cu\"") != std::string::npos);
}

TEST_CASE("compile errors carry line and column of the student's file") {
  const Compiled c = compiled("__global__ void k(float* x) {\n  x[0] = undefined_name;\n}\n");
  CHECK_FALSE(c.ok);
  REQUIRE(c.diagnostics.size() == 1);
  CHECK(c.diagnostics[0].where == SourceLoc{"t.cu", 2, 10});
  CHECK(c.diagnostics[0].message == "identifier \"undefined_name\" is undefined");
  CHECK(c.ptx.empty());
}

TEST_CASE("what is missing at a file's end is said, with its last line") {
  const Compiled c = compiled("\nint x = \n");
  CHECK_FALSE(c.ok);
  REQUIRE(!c.diagnostics.empty());
  CHECK(c.diagnostics[0].where.file == "t.cu");
  CHECK(c.diagnostics[0].where.line == 2);
  CHECK(c.diagnostics[0].message == "expected an expression at the end of the file");
}

TEST_CASE("warnings of the student's file are kept and don't fail it") {
  const Compiled c = compiled("__global__ void k(float* x) {\n  int unused = 3;\n  x[0] = 1;\n}\n");
  CHECK(c.ok);
  REQUIRE(c.diagnostics.size() == 1);
  CHECK(c.diagnostics[0].severity == Severity::warning);
  CHECK(c.diagnostics[0].where.line == 2);
}

TEST_CASE("what host code can't have gets one line") {
  CHECK(says(compiled("int main() { try { } catch (...) { } return 0; }"), "exceptions"));
  CHECK(says(compiled("int f() { return 3; }\nint y = f();\nint main() { return y; }"),
             "initialiser must be a constant"));
  CHECK(says(compiled("#include <thrust/device_vector.h>\nint main() {}"), "Thrust"));
}

TEST_CASE("what CUDA has and this machine does not is refused by name, with what to use in its place") {
  CHECK(says(compiled("int main() { cudaIpcCloseMemHandle(nullptr); }"),
             "cudaIpcCloseMemHandle is not supported: memory shared between processes"));
  CHECK(says(compiled("int main() { cudaGraphReleaseUserObject(nullptr, nullptr); }"),
             "cudaGraphReleaseUserObject is not supported: graphs are made of captured streams"));
  CHECK(says(compiled("int main() { cudaMemPoolExportPointer(nullptr, nullptr); }"),
             "cudaMemPoolExportPointer is not supported: memory pools can't be shared between processes"));
  CHECK(says(compiled("int main() { cuInit(0); }"),
             "cuInit is of the driver API, which is not supported here: use the runtime API"));
  CHECK(says(compiled("int main() { cucumber(0); }"), "identifier \"cucumber\" is undefined"));
}

TEST_CASE("a barrier in shared memory draws no warning of its constructor") {
  const Compiled c = compiled(
      "#include <cuda/barrier>\n__global__ void k(int* x) {\n  __shared__ "
      "cuda::barrier<cuda::thread_scope_block> "
      "b;\n  init(&b, 1);\n  x[0] = 1;\n}\n");
  CHECK(c.ok);
  CHECK(c.diagnostics.empty());
}

TEST_CASE("a file that is no source gets one clear line") {
  CHECK(says(compiled(std::string("int x;\0int y;", 13)), "zero byte"));
  CHECK(says(compiled(std::string((size_t(4) << 20) + 1, ' ')), "larger than 4 MiB"));
  const Compiled byte = compiled("int x;\n// gr\xfc\xdf \xff\nint y;");
  CHECK(says(byte, "the byte 0xFF here is no UTF-8: save the file as UTF-8"));
  REQUIRE_FALSE(byte.diagnostics.empty());
  CHECK(byte.diagnostics[0].where.line == 2);
  CHECK(byte.diagnostics[0].where.column == 9);
  CHECK(compiled("// gr\xfc\xdf of Latin-1\nint y;").ok);
  CHECK_FALSE(compiled("\xff\xfe\x01 garbage \x7f ELF").ok);
  CHECK(compiled("").ok);
}

TEST_CASE("an architecture older than the compiler's first is raised to it") {
  CHECK(compiled("__global__ void k() {}", "compute_70").ok);
}

TEST_CASE("an error inside a template names the student's line") {
  const Compiled c = compiled(
      "template <class T> __device__ T twice(T v) { return v.nope(); }\n"
      "__global__ void k(float* x) { x[0] = twice(x[0]); }\n");
  CHECK_FALSE(c.ok);
  CHECK(c.diagnostics[0].where.line == 1);
}

TEST_CASE("the debug compile keeps lines too") {
  CompileRequest r;
  r.file = "t.cu";
  r.source = "__global__ void k(float* x) { x[threadIdx.x] = 1; }\nint main() { k<<<1, 1>>>(0); }";
  r.debug = true;
  const Compiled c = compile(r);
  CHECK(c.ok);
  CHECK(c.ptx.find(".loc") != std::string::npos);
}

TEST_CASE("precompiled headers change no PTX") {
  const std::string source =
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__global__ void k(int* x) { auto t = cg::tiled_partition<32>(cg::this_thread_block());\n"
      "  x[threadIdx.x] = t.shfl_down(x[threadIdx.x], 1); }\n";
  const Compiled cold = compiled(source);
  keep_headers_warm(true);
  const Compiled first_warm = compiled(source), second_warm = compiled(source);
  // Another file that starts with the same header takes what is there.
  CompileRequest other;
  other.file = "other.cu";
  other.arch = "compute_75";
  other.source = "#include <cstdio>\n#include <cooperative_groups.h>\n__global__ void k() {}\n";
  const Compiled second_file = compile(other);
  keep_headers_warm(false);
  REQUIRE(cold.ok);
  CHECK(second_file.ok);
  CHECK(first_warm.ptx == cold.ptx);
  CHECK(second_warm.ptx == cold.ptx);
  MESSAGE("cold " << cold.milliseconds << " ms, precompiled " << second_warm.milliseconds
                  << " ms, another file " << second_file.milliseconds << " ms");
}

TEST_CASE("a file compiled at another time is the same program") {
  const std::string text = R"(#define LATE __TIME__ __DATE__
__global__ void k(char* x) {
  const char* all = LATE __TIME__ __DATE__ __TIMESTAMP__;
  x[0] = all[threadIdx.x];
}
)";
  const Compiled c = compiled(text);
  REQUIRE_MESSAGE(c.ok, first(c));
  // The string's bytes: "00:00:00" twice, and the date between them.
  CHECK(c.ptx.find("48, 48, 58, 48, 48, 58, 48, 48, 74, 97, 110, 32, 32, 49, 32, 50, 48, 48, 48") !=
        std::string::npos);
  // What two macros join is not seen by the pass: refused with the place.
  const Compiled joined = compiled("#define P(a, b) a##b\n__device__ const char* t = P(__TI, ME__);\n");
  CHECK_FALSE(joined.ok);
  CHECK(joined.diagnostics.at(0).where == SourceLoc{"t.cu", 2, 30});
  CHECK(says(joined, "could be joined to __TIME__"));
  CHECK_FALSE(compiled("#define P(a, b, c) a##b##c\n__device__ const char* t = P(__, DATE, __);\n").ok);
  CHECK(compiled("#define P(a, b) a##b\n__device__ int P(x, 1) = 3;\n").ok);
  // A piece alone joins to nothing.
  CHECK(compiled("#define P(a, b) a##_##b\n__device__ int P(x, 1) = 3;\n").ok);
}

TEST_CASE("a name that PTX's line table can't hold is refused before it breaks the PTX") {
  CompileRequest r;
  r.source = "__global__ void k() {}\n";
  r.arch = "compute_75";
  for (const char* name : {"a \"b\".cu", "a\nb.cu"}) {
    r.file = name;
    const Compiled c = compile(r);
    CHECK(!c.ok);
    CHECK(says(c, "quotation mark or a line break: rename it"));
  }
  r.file = "sp ace/\xc3\xbc'q (1).cu";
  CHECK(compile(r).ok);
}
