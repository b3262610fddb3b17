// Findings name memory as the kernel of that launch does, and the host's name beside it where that differs.
#include "../has.hpp"
#include "core/step_trace.hpp"
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::Rig;

namespace {

/// Different values: stores of one value would be no race.
std::vector<float> rising_floats(int n) {
  std::vector<float> v;
  for (int i = 0; i < n; ++i) v.push_back(float(i));
  return v;
}
std::vector<int> rising_ints(int n) {
  const auto v = rising_floats(n);
  return {v.begin(), v.end()};
}

std::string words_found(Rig& rig) {
  rig.found();
  std::string text;
  for (const Diagnostic& d : rig.findings) text += d.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("finding names: each launch's own parameter, and the host's variable beside it") {
  Rig rig(
      "__global__ void first(float* data) { data[threadIdx.x] = data[threadIdx.x + 1]; }\n"
      "__global__ void second(const float* x, float* y) { y[0] = x[threadIdx.x]; }");
  const uint64_t in = rig.buffer(rising_floats(128), "in");
  rig.launch("first", {1, 1, 1}, {64, 1, 1}, 0, in);
  const std::string said = words_found(rig);
  CHECK(has(said, " data["));
  CHECK(has(said, "] (the host's in["));
  rig.findings.clear();
  rig.launch("second", {1, 1, 1}, {64, 1, 1}, 0, in, in);
  CHECK(has(words_found(rig), "y[0] (the host's in[0])"));
}

TEST_CASE("finding names: a name that is the host's too stands alone") {
  Rig rig("__global__ void k(int* in, int n) { in[n + threadIdx.x] = 1; }");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(std::vector<int>(100000, 1), "in"), 100000);
  CHECK(words_found(rig) == "Thread 0 writes in[100000]; in has 100,000 elements.\n");
}

TEST_CASE("finding names: a null pointer is named by the parameter, and an index that overflowed is told") {
  Rig rig("__global__ void k(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x + 2]; }");
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, 0, rig.buffer(std::vector<float>(64, 1), "y"));
  CHECK(words_found(rig) == "Thread 0 reads x[2]; x is a null pointer.\n");
  Rig far("__global__ void k(int* a, int i) { a[i] = 1; }");
  far.launch("k", {1, 1, 1}, {1, 1, 1}, 0, far.buffer(std::vector<int>(64, 1), "a"), -2000000000);
  CHECK(words_found(far) ==
        "Thread 0 writes a[-2000000000]; a has 64 elements. An int that overflows becomes negative: compute "
        "the "
        "index in size_t.\n");
}

TEST_CASE("finding names: a dynamic array that is too small is told that the launch gives bytes") {
  Rig rig("__global__ void k(int* a) { extern __shared__ int s[]; s[threadIdx.x] = a[0]; a[1] = s[a[2]]; }");
  rig.launch("k", {1, 1, 1}, {64, 1, 1}, 64, rig.buffer(std::vector<int>(64, 1), "a"));
  CHECK(
      has(words_found(rig), "s has 16 elements. The third argument of the launch gives its size in bytes."));
}

TEST_CASE("finding names: a parameter that points into an allocation counts from there") {
  Rig rig("__global__ void k(int* half, int i) { half[i] = 1; }");
  const uint64_t in = rig.buffer(std::vector<int>(1024, 1), "in");
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, in + 512 * 4, 512);
  CHECK(words_found(rig) ==
        "Thread 0 writes half[512]; half points to element 512 of the host's in, which has 1024 elements.\n");
  Rig race("__global__ void k(int* half) { half[2] = threadIdx.x; }");
  race.launch("k", {1, 1, 1}, {64, 1, 1}, 0, race.buffer(std::vector<int>(1024, 1), "in") + 512 * 4);
  CHECK(has(words_found(race), "half[2] (the host's in[514])"));
}

TEST_CASE(
    "finding names: an allocation without a name has the parameter's, and is no variable of the host's") {
  Rig rig("__global__ void k(int* data, int i) { data[i] = 1; }");
  const uint64_t some = rig.buffer(std::vector<int>(1024, 1), "");
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, some, 1024);
  CHECK(words_found(rig) == "Thread 0 writes data[1024]; data has 1024 elements.\n");
  rig.findings.clear();
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, some + 512 * 4, 512);
  CHECK(words_found(rig) ==
        "Thread 0 writes data[512]; data points to element 512 of an allocation of 1024 elements.\n");
}

TEST_CASE("finding names: of two parameters in one buffer, the one that the address comes from") {
  const char* source = "__global__ void k(int* from, int* to) { to[threadIdx.x + 1] = from[threadIdx.x]; }";
  Rig apart(source);
  const uint64_t a = apart.buffer(rising_ints(256), "work");
  apart.launch("k", {1, 1, 1}, {64, 1, 1}, 0, a, a + 40);
  const std::string said = words_found(apart);
  CHECK(has(said, "to["));
  CHECK(has(said, "(the host's work["));
  Rig one(source);
  const uint64_t b = one.buffer(rising_ints(256), "work");
  one.launch("k", {1, 1, 1}, {64, 1, 1}, 0, b, b);
  const std::string shared = words_found(one);
  CHECK((has(shared, "to[") || has(shared, "from[")));
  CHECK(!has(shared, "also"));
}

TEST_CASE("finding names: a pointer that passes through device functions keeps the kernel's name") {
  for (const char* how : {"", "__noinline__ "}) {
    Rig rig(std::string("__device__ ") + how +
            "void put(int* where, int i) { where[i] = i; }\n"
            "__device__ " +
            how + "void twice(int* p, int i) { put(p, i); put(p, i + 4); }\n" +
            "__global__ void k(int* other, int* data, int n) { twice(data, n + other[0]); }");
    const uint64_t other = rig.buffer(std::vector<int>(4, 0), "other");
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, other, rig.buffer(std::vector<int>(64, 1), "in"), 64);
    CHECK(words_found(rig) == "Thread 0 writes data[64]; data is the host's in and has 64 elements.\n");
  }
}

TEST_CASE("finding names: a pointer in a structure, and a structure's member") {
  Rig rig(
      "struct Grid { int width; float* cells; };\n"
      "__global__ void k(Grid grid, int i) { grid.cells[i] = grid.width; }");
  struct {
    int width = 8;
    int pad = 0;
    uint64_t cells = 0;
  } grid;
  grid.cells = rig.buffer(std::vector<float>(64, 1.0f), "d_cells");
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, grid, 64);
  CHECK(words_found(rig) ==
        "Thread 0 writes grid.cells[64]; grid.cells is the host's d_cells and has 64 elements.\n");
  Rig member(
      "struct P { int x; float4 v; int y[3]; };\n"
      "__global__ void k(P* bodies, int n) { if (threadIdx.x == 0) bodies[n].y[1] = 1; }");
  member.launch("k", {1, 1, 1}, {32, 1, 1}, 0, member.buffer(std::vector<int>(12 * 8, 1), "bodies"), 8);
  CHECK(words_found(member) == "Thread 0 writes bodies[8].y[1]; bodies has 8 elements.\n");
}

TEST_CASE("finding names: a template's parameters, and those of extern \"C\"") {
  Rig rig(
      "template <class T> __global__ void k(T* values, int n) { values[n] = T(1); }\n"
      "template __global__ void k<double>(double*, int);");
  rig.launch("k<double>", {1, 1, 1}, {1, 1, 1}, 0, rig.buffer(std::vector<double>(16, 1), "d"), 16);
  CHECK(words_found(rig) == "Thread 0 writes values[16]; values is the host's d and has 16 elements.\n");
  Rig c("extern \"C\" __global__ void k(short* values, int n) { values[n] = 1; }");
  c.launch("k", {1, 1, 1}, {1, 1, 1}, 0, c.buffer(std::vector<short>(16, 1), "values"), 16);
  CHECK(words_found(c) == "Thread 0 writes values[16]; values has 16 elements.\n");
}

TEST_CASE("finding names: shared arrays by their indices, static and dynamic") {
  const auto said = [](const char* body, uint32_t smem) {
    Rig rig(std::string("constexpr int W = 8;\n__global__ void k(int* a) { int t = threadIdx.x;\n") + body +
            " }");
    rig.launch("k", {1, 1, 1}, {64, 1, 1}, smem, rig.buffer(std::vector<int>(64, 1), "a"));
    return words_found(rig);
  };
  CHECK(has(said("__shared__ int tile[W][W + 1]; tile[t / W + 1][t % W] = 1; __syncthreads(); a[t] = "
                 "tile[0][t % 8];",
                 0),
            "Thread 56 writes tile[8][0]; tile has 8 × 9 elements."));
  CHECK(has(said("__shared__ float row[64]; row[t] = t; a[t] = int(row[63 - t]);", 0), "row["));
  CHECK(has(said("extern __shared__ int line[]; line[t] = t; a[t] = line[63 - t];", 256), "line["));
  CHECK(has(said("extern __shared__ int line[]; line[t + 1] = t; a[t] = line[t];", 256),
            "Thread 63 writes line[64]; line has 64 elements."));
  CHECK(has(said("extern __shared__ int line[]; line[t] = t; a[t] = line[t];", 0),
            "Thread 0 writes line[0]; line has 0 elements. Give its size in bytes as the third argument of "
            "the launch."));
}

TEST_CASE("finding names: variables of the device, with their indices") {
  Rig rig(
      "__device__ int counts[4][8];\n__device__ int total;\n"
      "__global__ void k(int n) { counts[n][threadIdx.x & 7] = threadIdx.x; }\n"
      "__global__ void sum(int n) { total += threadIdx.x + n; }");
  rig.launch("sum", {1, 1, 1}, {64, 1, 1}, 0, 1);
  CHECK(has(words_found(rig), "total while"));
  rig.findings.clear();
  rig.launch("k", {1, 1, 1}, {64, 1, 1}, 0, 2);
  CHECK(has(words_found(rig), "counts[2][0]"));
}

TEST_CASE("finding names: freed memory is named as an element, too") {
  Rig rig("__global__ void k(int* data) { data[threadIdx.x] = 1; }");
  const uint64_t a = rig.buffer(std::vector<int>(64, 1), "d_in");
  rig.memory.release(a, {"x.cu", 7, 1});
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, a);
  CHECK(words_found(rig) == "Thread 0 writes data[0] (the host's d_in[0]), which was freed.\n");
}

TEST_CASE("finding names: slow motion names parts of a buffer as the parameters that point to them") {
  Rig rig("__global__ void k(const int* left, int* right) { right[threadIdx.x] = left[threadIdx.x]; }");
  const uint64_t a = rig.buffer(std::vector<int>(64, 1), "in");
  const auto trace = std::make_shared<StepTrace>();
  rig.config.steps = trace.get();
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, a, a + 128);
  CHECK_THROWS_AS(rig.run(), RunStopped);
  REQUIRE(trace->regions.size() == 2);
  CHECK(trace->regions[0].name == "left");
  CHECK(trace->regions[1].name == "right");
  CHECK(trace->regions[1].base == a + 128);
  CHECK(trace->regions[1].bytes == 128);
}
