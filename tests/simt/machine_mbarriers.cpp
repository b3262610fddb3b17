// What orders the initialisation of an mbarrier before its uses.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::found;

namespace {

/// Thread 0 initialises `bar` at line 7, `between` is at line 8 and `use` behind it.
std::string used_after(const char* between, const char* use, const char* arrivals = "64", uint32_t blocks = 1,
                       const char* attributes = "") {
  std::string s = R"(
#include <cooperative_groups.h>
__device__ unsigned place(unsigned long long* b) { return unsigned(__cvta_generic_to_shared(b)); }
__global__ void ATTRIBUTES k(float* a, float* b, int n) {
  __shared__ unsigned long long bar, ready; __shared__ volatile int flag;
  const unsigned at = place(&bar), warp = threadIdx.x / 32; unsigned long long state; unsigned done;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], ARRIVALS;" ::"r"(at) : "memory");
  BETWEEN
  USE
  a[threadIdx.x] = float(warp);
})";
  for (const auto& [name, text] : {std::pair<const char*, const char*>("ATTRIBUTES", attributes),
                                   {"ARRIVALS", arrivals},
                                   {"BETWEEN", between},
                                   {"USE", use}})
    s.replace(s.find(name), strlen(name), text);
  return found(s.c_str(), blocks, 64);
}

constexpr const char* arrive_and_wait = R"(asm volatile(
    "mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  do asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                  : "=r"(done) : "r"(at), "l"(state) : "memory");
  while (!done);)";
constexpr const char* wait = R"(do asm volatile(
    "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}"
    : "=r"(done) : "r"(at) : "memory");
  while (!done);)";
constexpr const char* arrive_first = R"(if (threadIdx.x == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 0;" ::"r"(at) : "memory");)";

}  // namespace

TEST_CASE("mbarriers: an initialisation must be ordered before the first use") {
  CHECK(used_after("__syncthreads();", arrive_and_wait) == "");
  CHECK(used_after("asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\"); __syncthreads();",
                   arrive_and_wait) == "");
  CHECK(used_after("", arrive_and_wait) == "race:10");
  CHECK(used_after("__threadfence_block();", arrive_and_wait) == "race:10");
  CHECK(used_after("__syncwarp();", arrive_and_wait) == "race:10");
  // Within a warp its own barrier is enough.
  const std::string first_warp = std::string("if (warp == 0) {") + arrive_and_wait + "}";
  CHECK(used_after("__syncwarp();", first_warp.c_str(), "32") == "");
  CHECK(used_after("", first_warp.c_str(), "32") == "race:10");
}

TEST_CASE("mbarriers: the phase of an mbarrier does not order its own initialisation") {
  // One thread initialises, arms and completes; the others come to wait.
  const std::string early = std::string(arrive_first) + wait, late = std::string("__syncthreads();") + wait;
  CHECK(used_after(arrive_first, late.c_str(), "1") == "");
  CHECK(used_after("__syncthreads();", early.c_str(), "1") == "");
  CHECK(used_after("", early.c_str(), "1") == "race:12");
}

TEST_CASE("mbarriers: a flag or another mbarrier orders an initialisation, and using none at all is told") {
  const auto behind_flag = [](const char* fence) {
    std::string s = R"(if (threadIdx.x == 32) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.inval.shared.b64 [%0]; mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
    FENCE
    flag = 1;
  }
  if (warp) while (!flag) {}
  __syncwarp();)";
    return used_after(s.replace(s.find("FENCE"), 5, fence).c_str(), arrive_and_wait);
  };
  CHECK(behind_flag("__threadfence_block();") == "");
  CHECK(behind_flag("") == "race:18");
  const char* other = R"(const unsigned first = place(&ready);
  if (threadIdx.x == 32) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(first) : "memory");
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared.b64 [%0]; mbarrier.init.shared.b64 [%0], 64;"
                                     " mbarrier.arrive.shared.b64 _, [%1];" ::"r"(at), "r"(first) : "memory");
  do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}"
                  : "=r"(done) : "r"(first) : "memory"); while (!done);)";
  CHECK(used_after(other, arrive_and_wait) == "");
  CHECK(used_after("if (threadIdx.x == 0) asm volatile(\"mbarrier.inval.shared.b64 [%0];\" ::\"r\"(at));"
                   " __syncthreads();",
                   arrive_and_wait) == "uninitialized:10 deadlock:12");
}

TEST_CASE("mbarriers: another block of the cluster arrives behind the cluster's barrier") {
  const char* remote = R"(if (cooperative_groups::this_cluster().block_rank() == 1)
    asm volatile("{.reg .b32 r; mapa.shared::cluster.u32 r, %0, 0;"
                 " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];}" ::"r"(at) : "memory");
  cooperative_groups::this_cluster().sync();)";
  const char* cluster = "__cluster_dims__(2, 1, 1)";
  CHECK(used_after("cooperative_groups::this_cluster().sync();", remote, "64", 2, cluster) == "");
  CHECK(used_after("__syncthreads();", remote, "64", 2, cluster) == "race:11");
}
