// Shared memory of another block of the cluster, before anything tells that this block has started.
#include <algorithm>

#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::found;
using dojo::test::Rig;

namespace {

/// A cluster of two blocks of 32 threads: `first`, then `access` to `theirs`, the other block's word, from
/// line 10 on; then the cluster's barrier. `flag` is a word of global memory that is 0.
std::string cluster_of_two(const std::string& first, const std::string& access) {
  return R"(
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(float* a, float* b, int n) {
  __shared__ unsigned word, other;
  auto cluster = cooperative_groups::this_cluster();
  const unsigned rank = cluster.block_rank();
  unsigned* theirs = cluster.map_shared_rank(&word, rank ^ 1);
  volatile unsigned* flag = (unsigned*)b;
)" + first +
         "\n" + access + R"(
  cluster.sync();
  if (threadIdx.x == 0) a[rank] = float(other);
})";
}

std::string found_in(const char* first, const char* access) {
  return found(cluster_of_two(first, access).c_str(), 2, 32);
}

constexpr const char* barrier = "cluster.sync();";
constexpr const char* split_barrier = "cluster.barrier_arrive(); other = 0; cluster.barrier_wait();";
constexpr const char* store = "other = 0; if (threadIdx.x == 0) *theirs = rank;";

}  // namespace

TEST_CASE("peers: a block reaches into another one only behind the first barrier of the cluster") {
  for (const char* access :
       {store, "other = 0; if (threadIdx.x == 0) atomicAdd(theirs, 1u);",
        "if (threadIdx.x == 0) other = *theirs;",
        "other = 0; if (threadIdx.x == 0) asm volatile("
        R"("{.reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; st.shared::cluster.u32 [r], %1;}")"
        R"( :: "r"(unsigned(__cvta_generic_to_shared(&word))), "r"(rank ^ 1));)"}) {
    CAPTURE(access);
    CHECK(found_in("__syncthreads();", access) == "race:10");
    CHECK(found_in("cluster.barrier_arrive();", (std::string(access) + " cluster.barrier_wait();").c_str()) ==
          "race:10");
    CHECK(found_in(barrier, access) == "");
    CHECK(found_in(split_barrier, access) == "");
  }
  // The block's own memory by the cluster's address.
  CHECK(found_in("", "other = 0; if (threadIdx.x == 0) *cluster.map_shared_rank(&word, rank) = 1;") == "");
}

TEST_CASE("peers: a signal of the other block tells that it has started") {
  CHECK(found_in(
            "if (rank == 0) { *flag = 1; __threadfence(); } else { while (*flag == 0) {} __threadfence(); }",
            "other = 0; if (rank == 1 && threadIdx.x == 0) *theirs = 1;") == "");
  CHECK(found_in("if (rank == 0) { *flag = 1; __threadfence(); }",
                 "other = 0; if (rank == 1 && threadIdx.x == 0) *theirs = 1;") == "race:10");
}

TEST_CASE(
    "peers: the finding names the word, its block and the remedy, and is told once per missing barrier") {
  Rig rig(cluster_of_two("", store).c_str());
  const uint64_t a = rig.blank(4096), b = rig.blank(4096);
  rig.launch("k", {2, 1, 1}, {32, 1, 1}, 0, a, b, 0);
  rig.found();
  REQUIRE(rig.findings.size() == 1);
  CHECK(
      rig.findings[0].message ==
      "Race: thread 0 of block 0 writes word of block 1, which may not have started yet. Put cluster.sync() "
      "before the first access to another block's shared memory.");
  CHECK(found_in("if (threadIdx.x == 0) word = rank;", "if (threadIdx.x == 0) other = *theirs;") ==
        "race:9 race:10");
}
