// Races in shared memory and between blocks, and what orders accesses: fences, atomics, semaphores.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::found;
using dojo::test::Rig;

TEST_CASE("findings: races in shared memory, with both sides") {
  const char* missing = R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  b[threadIdx.x] = s[63 - threadIdx.x];
})";
  Rig rig(missing);
  uint64_t a = rig.buffer(std::vector<float>(64)), b = rig.blank(4096);
  rig.launch("k", {1, 1, 1}, {64, 1, 1}, 0, a, b, 0);
  // The second warp's value is read before it is written when the first warp runs first.
  std::string text = rig.found();
  CHECK(text.find("race:") != std::string::npos);
  for (const Diagnostic& d : rig.findings)
    if (d.kind == FindingKind::race) {
      REQUIRE(d.related.size() == 1);
      CHECK(d.related[0].where.line + d.where.line == 9);
      CHECK(d.block.has_value());
      CHECK(d.thread.has_value());
      break;
    }
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];
  }
  b[threadIdx.x] = s[0];
})",
              1, 64)
            .find("race:") == 0);
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  if (t < 16) { s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }
  if (t == 0) b[0] = s[0];
})",
              1, 32)
            .find("race:6") == 0);
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    float v = s[(t + d) % 32];
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  if (t == 0) b[0] = s[0];
})",
              1, 32) == "");
}

namespace {

/// Two warps hand four numbers over through one place and one flag: 1 is full, 0 is empty. `wait` and `set`
/// are the statements that do it, with %d for the value.
std::string one_place(std::string wait_full, std::string empty, std::string wait_empty, std::string full) {
  return R"(
__device__ void store_relaxed(int* p, int v) {
  asm volatile("st.relaxed.cta.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ void store_release(int* p, int v) {
  asm volatile("st.release.cta.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__global__ void k(float* a, float* b, int n) {
  __shared__ int flag;
  __shared__ float box;
  volatile int& seen = flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      )" +
         wait_empty + " __threadfence_block(); box = a[i]; " + full + R"(
    } else if (threadIdx.x == 32) {
      )" +
         wait_full + " __threadfence_block(); b[i] = box; " + empty + R"(
    }
  }
})";
}

}  // namespace

TEST_CASE("findings: a flag that two threads set in turn is no race where each has seen the other's store") {
  const std::string full = "while (seen != 1) {}", empty = "while (seen != 0) {}",
                    fence = "__threadfence_block(); ";
  CHECK(found(one_place(full, fence + "seen = 0;", empty, fence + "seen = 1;").c_str(), 1, 64) == "");
  for (const std::string set : {"store_relaxed(&flag, ", "store_release(&flag, "}) {
    CAPTURE(set);
    CHECK(found(one_place(full, fence + set + "0);", empty, fence + set + "1);").c_str(), 1, 64) == "");
  }
  // Plain stores of two threads race, whatever they have seen.
  CHECK(found(one_place(full, fence + "flag = 0;", empty, fence + "flag = 1;").c_str(), 1, 64) ==
        "race:18 race:16");
  // Without a fence before the flag the number in the box races, and the flag does not.
  CHECK(found(one_place(full, fence + "seen = 0;", empty, "seen = 1;").c_str(), 1, 64) == "race:18");
  // A third thread looks: that does not order the stores of the other two.
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ int flag;
  volatile int& seen = flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) seen = 1;
  if (threadIdx.x == 32) seen = 2;
  if (threadIdx.x == 64) while (seen == 0) {}
})",
              1, 96) == "race:8");
}

TEST_CASE("findings: races in global memory between blocks; none with a fence and an atomic counter") {
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  a[threadIdx.x] = float(blockIdx.x);
})",
              2, 32) == "race:3");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += a[i + 32];
})",
              2, 64) == "race:4");
  const char* last_block = R"(
__device__ unsigned count;
__global__ void k(float* a, float* b, int n) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = a[blockIdx.x];
    %s
    last = atomicAdd(&count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += b[i];
    a[0] = sum;
  }
})";
  auto with = [&](const char* fence) {
    std::string s = last_block;
    s.replace(s.find("%s"), 2, fence);
    return s;
  };
  CHECK(found(with("__threadfence();").c_str(), 8, 64) == "");
  CHECK(found(with("").c_str(), 8, 64).find("race:13") == 0);
}

TEST_CASE("findings: a semaphore between blocks, and what each part of it is for") {
  auto source = [](const char* before, const char* fence, const char* after) {
    std::string s = R"(
__device__ int sem;
__global__ void k(float* a, float* b, int n) {
  if (blockIdx.x == 0) {
    b[threadIdx.x] = a[threadIdx.x];
    BEFORE
    FENCE
    if (threadIdx.x == 0) atomicAdd(&sem, 1);
  } else {
    if (threadIdx.x == 0) while (*(volatile int*)&sem == 0) {}
    AFTER
    a[512 + threadIdx.x] = b[127 - threadIdx.x];
  }
})";
    s.replace(s.find("BEFORE"), 6, before);
    s.replace(s.find("FENCE"), 5, fence);
    s.replace(s.find("AFTER"), 5, after);
    return s;
  };
  CHECK(found(source("__syncthreads();", "__threadfence();", "__syncthreads();").c_str(), 2, 128) == "");
  CHECK(found(source("", "__threadfence();", "__syncthreads();").c_str(), 2, 128).find("race") == 0);
  CHECK(found(source("__syncthreads();", "", "__syncthreads();").c_str(), 2, 128).find("race") == 0);
  CHECK(found(source("__syncthreads();", "__threadfence();", "").c_str(), 2, 128).find("race") !=
        std::string::npos);
}

TEST_CASE("findings: a cluster's barrier orders global memory between its blocks, and no others") {
  const auto source = [](const char* between, int distance) {
    std::string s = R"(
__global__ void __cluster_dims__(2, 1, 1) k(float* a, float* b, int n) {
  b[32 * blockIdx.x + threadIdx.x] = a[threadIdx.x];
  BETWEEN
  a[64 + 32 * blockIdx.x + threadIdx.x] = b[32 * (blockIdx.x ^ DISTANCE) + 31 - threadIdx.x];
})";
    s.replace(s.find("BETWEEN"), 7, between);
    return s.replace(s.find("DISTANCE"), 8, std::to_string(distance));
  };
  const char* sync =
      R"(asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");)";
  CHECK(found(source(sync, 1).c_str(), 4, 32) == "");
  CHECK(found(source("__syncthreads();", 1).c_str(), 4, 32).find("race:") != std::string::npos);
  CHECK(found(source(sync, 2).c_str(), 4, 32).find("race:") != std::string::npos);
}

TEST_CASE("findings: an atomic of one block sets no flag for another block, polled or read once") {
  const auto flag = [](const char* set, const char* get, const char* waits = "while (v == 0)",
                       int reader = 1) {
    std::string s = R"(
__device__ unsigned flag;
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x) return;
  unsigned v = 0;
  if (blockIdx.x != READER) {
    SET
  }
  if (blockIdx.x == READER) {
    do GET WAITS;
    a[0] = float(v);
  }
})";
    for (const auto& [name, text] : {std::pair<const char*, std::string>("SET", set),
                                     {"GET", get},
                                     {"WAITS", waits},
                                     {"READER", std::to_string(reader)},
                                     {"READER", std::to_string(reader)}})
      s.replace(s.find(name), strlen(name), text);
    return found(s.c_str(), 2, 32);
  };
  const char *polled = "v = *(volatile unsigned*)&flag;", *narrow_set = "atomicExch_block(&flag, 5);";
  const char* load = R"(asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(&flag) : "memory");)";
  const char* narrow_load =
      R"(asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(v) : "l"(&flag) : "memory");)";
  for (const int reader : {0, 1}) {  // the one that waits comes first, or finds the flag set
    CAPTURE(reader);
    CHECK(flag("atomicExch(&flag, 5);", polled, "while (v == 0)", reader) == "");
    CHECK(flag("*(volatile unsigned*)&flag = 5;", polled, "while (v == 0)", reader) == "");
    CHECK(flag("atomicExch(&flag, 5);", load, "while (v == 0)", reader) == "");
    CHECK(flag(narrow_set, polled, "while (v == 0)", reader) == "race:10");
    CHECK(flag(narrow_set, load, "while (v == 0)", reader) == "race:10");
    CHECK(flag("atomicExch(&flag, 5);", narrow_load, "while (v == 0)", reader) ==
          (reader ? "race:10" : "race:7"));  // once, from the side that comes later
  }
  // Read once: whichever block comes first.
  CHECK(flag("atomicExch(&flag, 5);", load, "while (false)", 1) == "");
  CHECK(flag("atomicExch(&flag, 5);", narrow_load, "while (false)", 1) == "race:10");
  CHECK(flag("atomicExch(&flag, 5);", narrow_load, "while (false)", 0) == "race:7");
  // Within a block it is enough, for a plain store as well.
  for (const char* set : {"atomicExch_block(&flag, 5);", "*(volatile unsigned*)&flag = 5;"}) {
    CAPTURE(set);
    std::string s = R"(
__device__ unsigned flag;
__global__ void k(float* a, float* b, int n) {
  unsigned v = 0;
  if (threadIdx.x == 32) {
    SET
  }
  if (threadIdx.x == 0) {
    do asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(v) : "l"(&flag) : "memory");
    while (v == 0);
    a[0] = float(v);
  }
})";
    s.replace(s.find("SET"), 3, set);
    CHECK(found(s.c_str(), 1, 64) == "");
  }
}

TEST_CASE("findings: what an atomic of one block left is read by another behind a fence and a flag") {
  const auto source = [](const char* fence) {
    std::string s = R"(
__device__ unsigned word, flag;
__global__ void k(float* a, float* b, int n) {
  if (blockIdx.x == 0) {
    atomicAdd_block(&word, 1);
    FENCE
    atomicAdd(&flag, 1);
  } else if (threadIdx.x == 0) {
    while (*(volatile unsigned*)&flag < 32) {}
    __threadfence();
    a[0] = *(volatile unsigned*)&word;
    a[1] = atomicAdd(&word, 1);
  }
})";
    return s.replace(s.find("FENCE"), 5, fence);
  };
  CHECK(found(source("__threadfence();").c_str(), 2, 32) == "");
  CHECK(found(source("__threadfence_block();").c_str(), 2, 32).starts_with("race:11"));
}

TEST_CASE("findings: blocks of a cluster add to one word by atomics whose scope holds them all") {
  const auto distributed = [](const char* atomic, const char* own) {
    std::string s = R"(
#include <cooperative_groups.h>
__global__ void __cluster_dims__(4, 1, 1) k(float* a, float* b, int n) {
  __shared__ int sum;
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  if (OWN cluster.block_rank()) ATOMIC(cluster.map_shared_rank(&sum, 0), 1);
  cluster.sync();
  if (threadIdx.x == 0) a[blockIdx.x] = sum;
})";
    s.replace(s.find("ATOMIC"), 6, atomic);
    return s.replace(s.find("OWN"), 3, own);
  };
  for (const char* own : {"true ||", "", "1 =="}) {  // one block alone may use the scope that it likes
    CAPTURE(own);
    CHECK(found(distributed("atomicAdd", own).c_str(), 4, 32) == "");
    CHECK(found(distributed("atomicAdd_block", own).c_str(), 4, 32) == (own[0] == '1' ? "" : "race:8"));
  }
  const auto global = [](const char* atomic, const char* sync) {
    std::string s = R"(
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(float* a, float* b, int n) {
  auto cluster = cooperative_groups::this_cluster();
  if (cluster.block_rank() == 0) ATOMIC(a, 1.0f);
  SYNC
  if (cluster.block_rank() == 1) ATOMIC(a, 1.0f);
})";
    for (int i = 0; i < 2; ++i) s.replace(s.find("ATOMIC"), 6, atomic);
    return s.replace(s.find("SYNC"), 4, sync);
  };
  CHECK(found(global("atomicAdd", "").c_str(), 2, 32) == "");
  CHECK(found(global("atomicAdd_block", "").c_str(), 2, 32) == "race:7");
  CHECK(found(global("atomicAdd_block", "cluster.sync();").c_str(), 2, 32) == "");
}

TEST_CASE("machine: a lock that acquires as it is taken and releases as it is given back needs no fence") {
  const auto races = [](const std::string& order) {
    Rig rig(R"(
__global__ void k(int* lock, int* sum) {
  if (threadIdx.x) return;
  int before;
  do
    asm volatile("atom)" +
            order + R"(.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(lock) : "memory");
  while (before);
  ++*sum;
  asm volatile("st.release.gpu.global.b32 [%0], 0;" ::"l"(lock) : "memory");
}
)");
    const uint64_t lock = rig.buffer(std::vector<int>{0}, "lock"),
                   sum = rig.buffer(std::vector<int>{0}, "sum");
    rig.launch("k", {8, 1, 1}, {32, 1, 1}, 0, lock, sum);
    const std::string found = rig.found();
    CHECK(rig.read<int>(sum, 1)[0] == 8);
    return found;
  };
  CHECK(races(".acquire") == "");
  CHECK(races(".acq_rel") == "");
  CHECK(races(".relaxed").starts_with("race:"));
}
