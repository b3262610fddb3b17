// What findings say: threads, elements, and the one remedy that fits.
#include "../has.hpp"
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::Rig;

namespace {

/// The messages of a kernel k(T* a, int n) of one or more blocks of 64 threads, one a line.
std::string said(const std::string& source, uint32_t blocks = 1) {
  Rig rig(source.c_str());
  const uint64_t a = rig.buffer(std::vector<int>(1024, 1), "data");
  rig.launch("k", {blocks, 1, 1}, {64, 1, 1}, 0, a, 1024);
  rig.found();
  std::string text;
  for (const Diagnostic& d : rig.findings) text += d.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("findings: of a word's two readers the one that races is named, with its own line") {
  Rig rig(
      "__global__ void scan(int* out) {\n"
      "  __shared__ int s[64];\n"
      "  const int t = threadIdx.x;\n"
      "  s[t] = t;\n"
      "  __syncthreads();\n"
      "  volatile int* left = s;\n"
      "  const int v = t ? left[t - 1] : 0;\n"
      "  s[t] += v;\n"  // reads s[t] as well, after the neighbour
      "  __syncthreads();\n"
      "  out[t] = s[t];\n"
      "}");
  rig.launch("scan", {1, 1, 1}, {64, 1, 1}, 0, rig.blank(64 * 4));
  rig.run();
  bool seen = false;
  for (const Diagnostic& d : rig.findings) {
    CHECK(d.message.find("atomic") == std::string::npos);
    if (d.where.line != 8) continue;
    seen = true;
    REQUIRE(!d.related.empty());
    CHECK(d.related[0].where.line == 7);
  }
  CHECK(seen);
}

TEST_CASE("finding words: an element is as large as the signature says, or bytes where it does not say") {
  CHECK(said("__global__ void k(int* a, int n) { a[1024 + threadIdx.x] = n; }") ==
        "Thread 0 writes a[1024]; a is the host's data and has 1024 elements.\n");
  CHECK(said("__global__ void k(float4* a, int n) { a[256 + threadIdx.x].x = n; }") ==
        "Thread 0 writes a[256]; a is the host's data and has 256 elements.\n");
  CHECK(said("__global__ void k(int* a, int n) { *(int4*)(a + n) = int4{1, 2, 3, 4}; }") ==
        "Thread 0 writes a[1024] to a[1027]; a is the host's data and has 1024 elements.\n");
  CHECK(said("struct P { int x, y, z; };\n__global__ void k(P* a, int n) { a[n].y = 1; }") ==
        "Thread 0 writes a[1024].y; a is the host's data and has 341 elements.\n");
  CHECK(said("template <int N> struct P { int x[N]; };\n"
             "__global__ void k(P<3>* a, int n) { a[n].x[1] = 1; }") ==
        "Thread 0 writes 4 bytes at a + 12292 (8196 bytes past its end); a is the host's data.\n");
  CHECK(said("__global__ void k(int* a, int n) { a[-int(threadIdx.x) - 1] = n; }", 2) ==
        "Thread 0 of block 0 writes a[-1]; a is the host's data and has 1024 elements.\n");
}

TEST_CASE("finding words: an index far outside belongs to the array that it indexes") {
  CHECK(said("__global__ void k(int* a, int n) { a[threadIdx.x + n * 16384] = n; }") ==
        "Thread 0 writes a[16777216]; a is the host's data and has 1024 elements.\n");
  CHECK(said("__global__ void k(int* a, int n) { for (int i = 0; i < n; ++i) a[i + 200000000] = i; }") ==
        "Thread 0 writes a[200000000]; a is the host's data and has 1024 elements.\n");
}

TEST_CASE("finding words: a rank that the cluster does not have is named, by either form of the address") {
  const auto words = [](const char* rank) {
    return said(std::string("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                            "__global__ void __cluster_dims__(2, 1, 1) k(int* a, int n) {\n"
                            "  __shared__ int mine[64];\n  cg::cluster_group c = cg::this_cluster();\n"
                            "  mine[threadIdx.x] = n;\n  c.sync();\n"
                            "  a[blockIdx.x * 64 + threadIdx.x] = c.map_shared_rank(mine, ") +
                    rank + ")[threadIdx.x];\n  c.sync();\n}",
                2);
  };
  CHECK(words("int(c.block_rank()) ^ 1") == "");
  for (const auto& [rank, told] : {std::pair("int(c.block_rank()) - 1", "-1"), std::pair("n / 512", "2")})
    CHECK(has(words(rank), std::string(" reads the shared memory of rank ") + told +
                               " of its cluster, which has 2 blocks. Pass map_shared_rank() a rank from 0 to "
                               "1.\n"));
  CHECK(has(words("n"), "rank 1024 of its cluster, which has 2 blocks."));
  CHECK(said("__global__ void __cluster_dims__(2, 1, 1) k(int* a, int n) {\n"
             "  __shared__ int mine[4];\n  unsigned place = (unsigned)__cvta_generic_to_shared(mine);\n"
             "  asm(\"mapa.shared::cluster.u32 %0, %0, %1;\" : \"+r\"(place) : \"r\"(n));\n"
             "  asm volatile(\"st.shared::cluster.u32 [%0], %1;\" :: \"r\"(place), \"r\"(n));\n}",
             2)
            .find("the shared memory of a rank outside of its cluster, which has 2 blocks.") !=
        std::string::npos);
}

TEST_CASE("finding words: an index past the last of several shared arrays belongs to the array indexed") {
  CHECK(said("__global__ void k(int* a, int n) {\n  __shared__ int left[32], right[32];\n"
             "  left[threadIdx.x % 32] = n;\n  right[threadIdx.x + 8] = n;\n  __syncthreads();\n"
             "  a[threadIdx.x] = left[threadIdx.x % 32] + right[threadIdx.x % 32];\n}")
            .find("writes right[32]; right has 32 elements") != std::string::npos);
}

TEST_CASE("finding words: a division by zero names its thread") {
  CHECK(has(said("__global__ void k(int* a, int n) { a[threadIdx.x] = n / (a[threadIdx.x] - 1); }"),
            "Thread 0 divides an integer by zero. The result is undefined."));
  CHECK(said("__global__ void k(int* a, int n) { a[threadIdx.x] = n / a[threadIdx.x] + n % 7; }").empty());
}

TEST_CASE("finding words: an update gets the advice of its atomic function, anything else a barrier") {
  CHECK(has(said("__global__ void k(int* a, int n) { a[threadIdx.x % 8] += n; }"), "Use atomicAdd()"));
  CHECK(has(said("__global__ void k(int* a, int n) { a[0] = max(a[0], int(threadIdx.x)); }"),
            "Use atomicMax()"));
  CHECK(has(said("__global__ void k(int* a, int n) { __shared__ int s[4]; s[threadIdx.x & 3] = 0;\n"
                 "__syncthreads(); s[threadIdx.x & 3] |= a[threadIdx.x]; __syncthreads();\n"
                 "a[threadIdx.x] = s[threadIdx.x & 3]; }"),
            "Use atomicOr()"));
  const std::string neighbours =
      said("__global__ void k(int* a, int n) { a[threadIdx.x] = a[threadIdx.x + 1] + 1; }");
  CHECK(!has(neighbours, "atomic"));
  CHECK(has(neighbours, "thread 1 writes a[1] (the host's data[1]) while thread 0 reads it"));
}

TEST_CASE(
    "finding words: lanes of one warp need __syncwarp(), and a race across warps never gets that advice") {
  const std::string lanes = said(
      "__global__ void k(int* a, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t];\n"
      "a[t] = s[t ^ 1]; }");
  CHECK(has(lanes, "Put __syncwarp() between them."));
  CHECK(!has(lanes, "__syncthreads"));
  const std::string block = said(
      "__global__ void k(int* a, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t];\n"
      "a[t] = s[(t + 1) % 64]; }");
  CHECK(has(block, "Put __syncthreads() between them."));
  CHECK(!has(block, "__syncwarp"));
}

TEST_CASE("finding words: a plain look before an atomicCAS() is not told to put a barrier between them") {
  const std::string look = said(
      "__global__ void k(int* a, int n) { int w = threadIdx.x % 4;\n"
      "if (a[w] != n && atomicCAS(a + w, 1, n) == 1) a[threadIdx.x + 64] = w; }");
  CHECK(has(look, "Let atomicCAS() alone decide"));
  CHECK(!has(look, "__sync"));
  const std::string read_back = said(
      "__global__ void k(int* a, int n) { __shared__ int keys[8]; if (threadIdx.x < 8) keys[threadIdx.x] = "
      "0;\n"
      "__syncthreads(); atomicCAS(keys + threadIdx.x % 8, 0, n); a[threadIdx.x] = keys[(threadIdx.x + 1) % "
      "8]; }");
  CHECK(has(read_back, "Put __sync"));
}

TEST_CASE(
    "finding words: two threads at one store are not told to put a barrier between them, but in a loop") {
  const std::string lanes = said("__global__ void k(int* a, int n) { a[threadIdx.x / 2] = threadIdx.x; }");
  CHECK(has(lanes, "Give each thread an element of its own, or let one thread write it."));
  CHECK(!has(lanes, "between them"));
  const std::string rounds = said(
      "__global__ void k(int* a, int n) { __shared__ int s[128]; int t = threadIdx.x;\n"
      "#pragma unroll 1\n"
      "for (int i = 0; i < n / 2; ++i) s[(t + i) % 64] = t;\n"
      "__syncthreads(); a[t] = s[t]; }");
  CHECK(has(rounds, "Put __syncthreads() between them."));
}

TEST_CASE("finding words: a race across warps and one within a warp that share a line get one advice") {
  // Lines 1 and 2 race across warps, lines 2 and 3 within one: a barrier of the block separates both.
  const std::string both = said(
      "__global__ void k(int* a, int n) { __shared__ int s[64], r[64]; int t = threadIdx.x; s[t] = a[t];\n"
      "r[t] = s[(t + 1) % 64];\n"
      "a[t] = r[t ^ 1]; }");
  CHECK(has(both, "reads s["));
  CHECK(has(both, "reads r["));
  CHECK(has(both, "Put __syncthreads() between them."));
  CHECK(!has(both, "__syncwarp"));
}

TEST_CASE(
    "finding words: lanes of one warp are told of no barrier of the block where warps leave a loop apart") {
  // Within a warp and across warps, at the same lines; each warp ends its loop by a vote of its own.
  const std::string apart = said(
      "__global__ void k(int* a, int n) { int t = threadIdx.x, left = 1 + t / 32;\n"
      "while (__any_sync(~0u, left > 0)) {\n"
      "a[t] = left;\n"
      "left = a[(t + 1) % 64] - 2; } }");
  CHECK(!has(apart, "Put __syncthreads()"));
  CHECK(has(apart, "Order them by a lock, or by a fence and an atomic flag, or end the loop first"));
  CHECK(has(apart, "Put __syncwarp() between them. No __syncthreads() can stand in this loop"));
  const std::string voted = said(
      "__global__ void k(int* a, int n) { int t = threadIdx.x, left = 1;\n"
      "do {\n"
      "a[t] = left;\n"
      "left = a[(t + 1) % 64] - 2; } while (__syncthreads_or(left > 0)); }");
  CHECK(has(voted, "Put __syncthreads() between them."));
  // All threads go round together: one barrier separates both.
  const std::string together = said(
      "__global__ void k(int* a, int n) { int t = threadIdx.x, left = 0;\n"
      "#pragma unroll 1\n"
      "for (int i = 0; i < n / 8; ++i) {\n"
      "a[t] = left + i;\n"
      "left = a[(t + 1) % 64]; } a[t] = left; }");
  CHECK(has(together, "Put __syncthreads() between them."));
  CHECK(!has(together, "__syncwarp"));
}

TEST_CASE("finding words: shared memory is named by its array, and by its dynamic part") {
  CHECK(has(said("__global__ void k(int* a, int n) { __shared__ int tile[64]; tile[threadIdx.x + 1] = n;\n"
                 "__syncthreads(); a[threadIdx.x] = tile[threadIdx.x]; }"),
            "Thread 63 writes tile[64]; tile has 64 elements."));
  CHECK(has(
      said("__global__ void k(int* a, int n) { extern __shared__ int s[]; s[threadIdx.x] = n;\n"
           "__syncthreads(); a[threadIdx.x] = s[63 - threadIdx.x]; }"),
      "Thread 0 writes s[0]; s has 0 elements. Give its size in bytes as the third argument of the launch."));
}

TEST_CASE(
    "finding words: stores of one value that readers compare are a warning; one thread's flag is a race") {
  Rig level(
      "__global__ void k(int* a, int n) {\n"
      "  if (a[threadIdx.x] == 1 && a[(threadIdx.x * 7 + 3) % 64] == 1) a[(threadIdx.x * 7 + 3) % 64] = 5;\n"
      "}");
  level.launch("k", {1, 1, 1}, {64, 1, 1}, 0, level.buffer(std::vector<int>(64, 1), "a"), 64);
  level.found();
  REQUIRE(!level.findings.empty());
  for (const Diagnostic& d : level.findings) CHECK(d.severity == Severity::warning);
  CHECK(has(level.findings[0].message, "one value"));

  Rig flag(
      "__global__ void k(int* a, int n) {\n  if (threadIdx.x == 40) a[0] = 1;\n"
      "  if (a[0] == 1) a[threadIdx.x + 1] = 2;\n}");
  flag.launch("k", {1, 1, 1}, {64, 1, 1}, 0, flag.buffer(std::vector<int>(128, 0), "a"), 64);
  flag.found();
  REQUIRE(!flag.findings.empty());
  CHECK(flag.findings[0].severity == Severity::error);
}

TEST_CASE(
    "finding words: a run that is given up because it is wrong nearly everywhere gives one advice, too") {
  // Within a warp for strides up to 16, across warps above: the advice is the wide one.
  Rig rig(
      "__global__ void k(float* a) { float* mine = a + blockIdx.x * blockDim.x;\n"
      "for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {\n"
      "if (threadIdx.x < s) mine[threadIdx.x] += mine[threadIdx.x + s]; } }");
  const uint64_t a = rig.buffer(std::vector<float>(1 << 20, 1.0f), "data");
  rig.launch("k", {4096, 1, 1}, {256, 1, 1}, 0, a);
  rig.found();
  REQUIRE(rig.findings.size() >= 2);  // the report, and why the run was given up
  for (const Diagnostic& d : rig.findings) {
    CHECK_MESSAGE(has(d.message, "Put __syncthreads() between them."), d.message);
    CHECK_MESSAGE(!has(d.message, "__syncwarp"), d.message);
  }
}
