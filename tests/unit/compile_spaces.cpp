// Host and device told apart before the compiler, which doesn't.
#include <doctest/doctest.h>

#include <algorithm>

#include "compiled.hpp"
#include "core/compile.hpp"

using namespace dojo;

using dojo::test::compiled;

namespace {
bool error_at(const Compiled& c, int line, int column, const std::string& words) {
  for (const Diagnostic& d : c.diagnostics)
    if (d.severity == Severity::error && d.where.line == line && d.where.column == column &&
        d.message.find(words) != std::string::npos)
      return true;
  for (const Diagnostic& d : c.diagnostics)
    MESSAGE(d.where.line << ":" << d.where.column << " " << d.message);
  return false;
}
bool clean(const std::string& source) {
  const Compiled c = compiled(source);
  for (const Diagnostic& d : c.diagnostics)
    if (d.severity == Severity::error) MESSAGE(d.where.line << ":" << d.where.column << " " << d.message);
  return c.ok;
}
}  // namespace

TEST_CASE("a kernel that calls a host function is refused in nvcc's words") {
  const Compiled c = compiled(
      "float helper(float x) { return x * 2; }\n"
      "__global__ void k(float* x) {\n  x[0] = helper(x[0]);\n}\n");
  CHECK_FALSE(c.ok);
  CHECK(error_at(c, 3, 10,
                 "calling a __host__ function(\"helper\") from a __global__ function(\"k\") is not allowed"));
}

TEST_CASE("extern \"C\" in front of a kernel or a function leaves its parameters what they are") {
  CHECK(
      clean("__device__ float twice(float v) { float w = v * 2; return w; }\n"
            "extern \"C\" __global__ void k(const float* in, float* out, int n) { out[n] = twice(in[n]); }\n"
            "extern \"C\" { __global__ void l(int* a, int* b) { *a = *b; } }\n"));
  const Compiled c = compiled(
      "extern \"C\" float helper(float x) { return x; }\n"
      "extern \"C\" __global__ void k(float* x, int n) { x[n] = helper(x[n]); }\n");
  CHECK(error_at(c, 2, 56, "calling a __host__ function(\"helper\") from a __global__ function(\"k\")"));
}

TEST_CASE("a kernel that reads a host variable is refused") {
  const Compiled c =
      compiled("int n = 3;\nfloat table[4];\n__global__ void k(float* x) {\n  x[n] = table[1];\n}\n");
  CHECK(error_at(c, 4, 5, "identifier \"n\" is undefined in device code"));
  CHECK(error_at(c, 4, 10, "identifier \"table\" is undefined in device code"));
  CHECK(c.host_variables == std::vector<std::string>{"n", "table"});
}

TEST_CASE("a name of an inner scope hides a host variable, and only there") {
  const std::string host = "unsigned scale = 0;\n";
  for (const char* text :
       {"struct alignas(16) T { int scale; __device__ int f() const { return scale; } };",
        "struct __align__(8) T { int scale; __device__ int f(); };\n__device__ int T::f() { return scale; }",
        "struct T { unsigned scale; __device__ unsigned f() const { return 2 * scale; } };",
        "template <class X> struct T { X scale{}; __device__ X operator()() const { return scale * 2; } };",
        "struct T { int a, scale; __device__ int f() const; };\n__device__ int T::f() const { return scale; "
        "}",
        "struct B { int scale; };\nstruct T : B { __device__ int f() { return scale; } };",
        "__global__ void k(int* o) { struct { int a, b; } s{1, 2}; auto [scale, y] = s; *o = scale + y; }",
        "__global__ void k(int* o) { auto f = [scale = 3] { return scale * 2; }; *o = f(); }",
        "template <int scale> __device__ int g(int e) { return e * scale; }",
        "__global__ void k(int* o) { enum { scale = 2 }; *o = 3 * scale; }"}) {
    CHECK_MESSAGE(clean(host + text + "\n"), text);
    CHECK_MESSAGE(clean(std::string(text) + "\n" + host), text);
  }
  // Behind that scope the variable is the host's again.
  const Compiled c = compiled(
      "int scale;\nstruct T { int scale; };\n"
      "__global__ void k(int* o) { { enum { scale = 2 }; } *o = scale; }\n");
  CHECK(error_at(c, 3, 58, "identifier \"scale\" is undefined in device code"));
}

TEST_CASE("host code that touches a device variable is refused") {
  const Compiled c = compiled(
      "__device__ int d;\n__constant__ float w[3];\n__managed__ int m;\nint main() {\n"
      "  d = 1;\n  int a = d;\n  int* p = &d;\n  m = 2;\n  w[0] = 1.f;\n"
      "  cudaMemcpyToSymbol(w, p, sizeof(w));\n  return a + sizeof(d);\n}\n");
  CHECK(error_at(c, 5, 3, "a __device__ variable \"d\" cannot be directly written in a host function"));
  CHECK(error_at(c, 6, 11, "cannot be directly read"));
  CHECK(error_at(c, 7, 13, "address of a __device__ variable \"d\" cannot be directly taken"));
  CHECK(error_at(c, 9, 3, "a __constant__ variable \"w\" cannot be directly written"));
  const Compiled copied = compiled(
      "__constant__ float w[3];\nvoid set(const float* f) {\n"
      "  cudaMemcpy(w, f, 12, cudaMemcpyDeviceToDevice);\n}\nint main() { set(0); }\n");
  CHECK(error_at(copied, 3, 14, "use cudaMemcpyToSymbol"));
  CHECK(std::count_if(c.diagnostics.begin(), c.diagnostics.end(),
                      [](const Diagnostic& d) { return d.severity == Severity::error; }) == 4);
  CHECK(c.managed_variables == std::vector<std::string>{"m"});
}

TEST_CASE("calls the other way are refused") {
  CHECK(error_at(compiled("__device__ int f() { return 1; }\nint main() { return f(); }\n"), 2, 21,
                 "calling a __device__ function(\"f\") from a __host__ function(\"main\") is not allowed"));
  CHECK(error_at(compiled("__global__ void k() {}\nint main() { k(); return 0; }\n"), 2, 14,
                 "a __global__ function call must be configured"));
  CHECK(error_at(compiled("__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }\n"), 2, 23,
                 "separate compilation mode"));
  CHECK(error_at(compiled("int main() { __syncthreads(); return 0; }\n"), 1, 14, "__syncthreads"));
  CHECK(error_at(compiled("#include <cstdlib>\n__global__ void k(int* x) { x[0] = rand(); }\n"), 2, 36,
                 "rand"));
}

TEST_CASE("what nvcc accepts is accepted") {
  CHECK(
      clean("const int N = 4;\nconstexpr float pi = 3.14f;\n#define SQ(x) ((x) * (x))\n"
            "__global__ void k(float* x) { x[N - 1] = pi * SQ(x[0]); }\n"));
  CHECK(
      clean("float f(float x) { return x; }\n__device__ float g(float f) { return f * 2; }\n"
            "__global__ void k(float* x) { float f = g(x[0]); x[0] = f; }\n"));
  CHECK(clean("int n;\n__global__ void k(float* x, int n) { if (threadIdx.x < n) x[n - 1] = 0; }\n"));
  CHECK(clean(
      "template <class T> struct Op { __device__ T operator()(T a) const { return apply(a); }\n"
      "  __host__ __device__ T apply(T a) const { return a; } };\n"
      "template <class T> __global__ void k(T* x) { Op<T> op; x[0] = op(x[0]); }\n"
      "int main() { float* p; cudaMalloc(&p, 4); k<float><<<1, 1>>>(p); k<<<1, 1>>>(p); return 0; }\n"));
  CHECK(
      clean("#define HD __host__ __device__\nHD int both(int a) { return a; }\n"
            "__global__ void k(int* x) { x[0] = both(1); }\nint main() { return both(0); }\n"));
  CHECK(
      clean("#define CHECK(c) do { cudaError_t e = (c); if (e) { printf(\"%d\", e); exit(1); } } while (0)\n"
            "__device__ int d;\nint main() { int h; CHECK(cudaMemcpyFromSymbol(&h, d, 4)); return h; }\n"));
  CHECK(clean(
      "int i;\nstruct P { int i; };\n__global__ void k(P* p) { for (int i = 0; i < 3; ++i) p[i].i = p->i; }\n"
      "int main() { i = 0; return i; }\n"));
  CHECK(
      clean("namespace a { __device__ int f() { return 1; } }\nint f() { return 2; }\n"
            "__global__ void k(int* x) { x[0] = a::f(); }\nint main() { return f(); }\n"));
  CHECK(
      clean("enum { A, B }; struct alignas(16) Q { float a[4]; }; Q q;\nstatic int table[2][3] = {{1, 2, 3}, "
            "{4}};\n"
            "int main() { q.a[0] = table[1][0]; return A; }\n"));
}

TEST_CASE("a name behind an alias of a library's namespace is the library's") {
  CHECK(
      clean("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
            "namespace cg = cooperative_groups;\n"
            "__global__ void k(float* x) {\n"
            "  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
            "  x[0] = cg::reduce(warp, x[0], cg::plus<float>());\n}\n"
            "void reduce(float* x) { k<<<1, 32>>>(x); }\n"));
  // An alias of the file's own namespace hides nothing.
  const Compiled c = compiled(
      "namespace mine { int f() { return 1; } }\nnamespace m = mine;\n"
      "__global__ void k(int* x) {\n  x[0] = m::f();\n}\n");
  CHECK(error_at(c, 4, 13, "calling a __host__ function(\"f\")"));
}

TEST_CASE("a lambda may be annotated, and columns stay") {
  CHECK(
      clean("template <class F> __global__ void run(F f, int* x) { x[threadIdx.x] = f(threadIdx.x); }\n"
            "int main() { int* p; cudaMalloc(&p, 4); int c = 2; run<<<1, 1>>>([=] __device__(int i) { return "
            "i * c; }, p);\n"
            "  auto both = [] __host__ __device__(int i) { return i; }; return both(0); }\n"));
  const Compiled c =
      compiled("int g;\nint main() { auto f = [=] __device__(int i) { return i * g; }; return nope; }\n");
  CHECK(error_at(c, 2, 71, "identifier \"nope\" is undefined"));
  const Compiled d = compiled(
      "int g;\nint main() { auto f = [=] __device__(int i) { return i * g; }; (void)f; return 0; }\n");
  CHECK(error_at(d, 2, 58, "identifier \"g\" is undefined in device code"));
}

TEST_CASE("a host lambda is no argument of a kernel, and a __device__ lambda needs nvcc's option") {
  const std::string kernel = "template <class F> __global__ void run(F f, int* x) { x[0] = f(1); }\n";
  const Compiled named =
      compiled(kernel + "int main() { auto f = [](int i) { return i; }; run<<<1, 1>>>(f, (int*)0); }\n");
  CHECK(error_at(named, 2, 62, "a host lambda cannot be passed to the kernel \"run\""));
  const Compiled written =
      compiled(kernel + "int main() { run<<<1, 1>>>([](int i) { return i; }, (int*)0); }\n");
  CHECK(error_at(written, 2, 28, "a host lambda"));
  // Called on the host, its result may be passed.
  CHECK(clean(
      "__global__ void k(int n) {}\nint main() { auto f = [](int i) { return i; }; k<<<1, 1>>>(f(2)); }\n"));
  const Compiled device =
      compiled(kernel + "int main() { run<<<1, 1>>>([] __device__(int i) { return i; }, (int*)0); }\n");
  CHECK(device.ok);
  REQUIRE(device.diagnostics.size() == 1);
  CHECK(device.diagnostics[0].severity == Severity::warning);
  CHECK(device.diagnostics[0].message.find("--extended-lambda") != std::string::npos);
}

TEST_CASE("shared memory at file scope belongs to the device") {
  CHECK(clean(
      "__shared__ int s[4];\nextern __shared__ float d[];\n__global__ void k(int* x) { s[0] = 1; d[0] = 2; "
      "x[0] = s[0]; }\nint main() { return 0; }\n"));
}

TEST_CASE("code that the preprocessor drops is not judged") {
  CHECK(clean("int h;\n#if 0\n__global__ void k(int* x) { x[0] = h; }\n#endif\nint main() { return h; }\n"));
}

TEST_CASE("brackets that never close don't hold the pass up") {
  std::string s = "int main() { ";
  for (int i = 0; i < 200000; ++i) s += "=[";
  CHECK_FALSE(compiled(s).ok);
  std::string t = "int main() { ";
  for (int i = 0; i < 100000; ++i) t += "int a(";
  CHECK_FALSE(compiled(t).ok);
}

TEST_CASE("allocations are named after their variable, when the line has one") {
  const Compiled c = compiled(
      "int main() {\n  float *a, *b, *h = (float*)malloc(4);\n  cudaMalloc((void**)&a, 4);\n"
      "  cudaMalloc(&a, 4); cudaMalloc(&b, 4);\n  free(h);\n}\n");
  CHECK(c.allocation_names.at(2) == "h");
  CHECK(c.allocation_names.at(3) == "a");
  CHECK(c.allocation_names.at(4).empty());
}
