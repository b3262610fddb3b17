// A warp that polls lets the other warps of its block run before it looks again, also where its loop counts
// its looks or reads a clock, so that its registers are never the same.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

TEST_CASE("machine: a loop that counts its looks at a word of shared memory looks a few times") {
  Rig rig(R"(
__global__ void k(int* out, int n) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  int looks = 0;
  if (threadIdx.x < 32) {
    while (((volatile int*)&flag)[0] == 0) ++looks;
  } else {
    int v = threadIdx.x;
    for (int i = 0; i < n; ++i) v = v * 5 + out[32 + i % 32];
    out[threadIdx.x] = v;
    if (threadIdx.x == 32) atomicExch(&flag, 1);
  }
  if (threadIdx.x == 0) out[0] = looks;
}
)");
  rig.config.control.checks = false;
  const uint64_t out = rig.buffer(std::vector<int>(256));
  rig.launch("k", {1, 1, 1}, {256, 1, 1}, 0, out, 1000);
  rig.run();
  const int looks = rig.read<int>(out, 1)[0];
  CHECK(looks > 0);
  CHECK(looks <= 8);
}

TEST_CASE("machine: a warp that counts its looks at another block's word lets that block run") {
  Rig rig(R"(
__global__ void k(int* out, int* flag) {
  int looks = 0;
  if (blockIdx.x == 0) {
    while (((volatile int*)flag)[0] == 0) ++looks;
    if (threadIdx.x == 0) out[0] = looks;
  } else if (threadIdx.x == 0) {
    atomicExch(flag, 1);
  }
}
)");
  rig.config.control.checks = false;
  const uint64_t out = rig.blank(4), flag = rig.buffer(std::vector<int>(1));
  rig.launch("k", {2, 1, 1}, {32, 1, 1}, 0, out, flag);
  rig.run();
  const int looks = rig.read<int>(out, 1)[0];
  CHECK(looks > 0);
  CHECK(looks <= 16);
}

TEST_CASE("machine: cuda::barrier before compute_80 polls a few times, not until a time slice ends") {
  Rig rig(R"(
#include <cuda/barrier>
__global__ void k(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(Barrier) char room[sizeof(Barrier)];
  __shared__ int s[256];
  Barrier& barrier = *reinterpret_cast<Barrier*>(room);
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    s[threadIdx.x] = threadIdx.x + i;
    barrier.arrive_and_wait();
    out[threadIdx.x] = s[255 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}
)",
          "compute_75");
  const uint64_t out = rig.blank(256 * sizeof(int));
  rig.launch("k", {1, 1, 1}, {256, 1, 1}, 0, out);
  // 16 barriers of 8 warps: 300 instructions each. Polling until slices ended took 15,000.
  rig.config.control.max_warp_instructions = 16 * 8 * 300;
  CHECK(rig.found() == "");
  CHECK(rig.read<int>(out, 256)[3] == 252 + 7);
}

TEST_CASE("machine: an atomic that changes nothing and whose result is unused is no look") {
  Rig rig(R"(
__global__ void k(int* most, int* turn, int* out, int n) {
  int rounds = threadIdx.x < 32 ? n : 1;
  for (int i = 0; i < rounds; ++i) atomicMax(most, -i);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = atomicAdd(turn, 1);
}
)");
  const uint64_t most = rig.buffer(std::vector<int>(1)), turn = rig.buffer(std::vector<int>(1)),
                 out = rig.blank(8);
  rig.launch("k", {1, 1, 1}, {64, 1, 1}, 0, most, turn, out, 100);
  rig.run();
  CHECK(rig.read<int>(out, 2) == std::vector<int>{0, 1});
}
