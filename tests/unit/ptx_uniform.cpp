// Which registers are the same in all lanes, and which atomics ptxas joins for it.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/flow/uniform.hpp"
#include "ptx/sass.hpp"
#include "ptx_build.hpp"

using namespace dojo;
using namespace dojo::ptx;

namespace {

const char* kernels = R"(
__global__ void direct(int* s) { atomicAdd(s, 1); }
__global__ void loaded(int* s, const int* at) { atomicAdd(s + at[blockIdx.x], 1); }
__global__ void of_lanes(int* s, const int* v) { atomicAdd(s, v[threadIdx.x]); }
__global__ void largest(int* s, const int* v) { atomicMax(s, v[threadIdx.x]); }
__global__ void together(unsigned* s, const unsigned* v) { atomicOr(s, v[threadIdx.x]); }
__global__ void with_result(int* s, int* o) { o[threadIdx.x] = atomicAdd(s, 1); }
__global__ void round(unsigned* s) { atomicInc(s, 100); }
__global__ void in_loop(int* s, int n) { for (int i = 0; i < n; i++) atomicAdd(s + i, 1); }
__global__ void in_branch(int* s, const int* v) { if (v[threadIdx.x] > 0) atomicAdd(s, 1); }
__global__ void wide(unsigned long long* s) { atomicAdd(s, 1ull); }
__global__ void floating(float* s) { atomicAdd(s, 1.0f); }
__global__ void by_lane(int* s) { atomicAdd(s + threadIdx.x, 1); }
__global__ void by_data(int* s, const int* v) { atomicAdd(s + v[threadIdx.x], 1); }
__global__ void masked(int* s, int mask) { atomicAdd(s + (threadIdx.x & mask), 1); }
__global__ void chosen(int* s, const int* v) {
  int k = 0;
  if (v[threadIdx.x] > 0) k = 7;
  atomicAdd(s + k, 1);
}
__global__ void trips_by_lane(int* s, const int* v) {
  int k = 0;
  for (int i = 0; i < v[threadIdx.x]; ++i) k = k * 3 + 1;
  atomicAdd(s + k, 1);
}
)";

}  // namespace

TEST_CASE(
    "uniform: ptxas joins a warp's integer atomics where the address is seen to be one, and nowhere else") {
  for (const char* sm : {"sm_75", "sm_90"}) {
    const Built made = build(kernels, sm);
    const Cubin cubin = read_cubin(made.cubin);
    int joined_ones = 0, kernels_seen = 0;
    for (const Function& f : made.module->functions) {
      if (!f.kernel) continue;
      CAPTURE(sm);
      CAPTURE(f.demangled);
      const auto uniform = uniform_registers(f);
      int atomics = 0, joined = 0;
      for (const Instruction& i : f.code)
        if (i.parts[0] == "red" || i.parts[0] == "atom") ++atomics, joined += joined_in_warp(i, uniform);
      REQUIRE(atomics >= 1);
      const SassFunction* machine = cubin.find(f.name);
      REQUIRE(machine);
      const bool votes =
          std::any_of(machine->code.begin(), machine->code.end(),
                      [](const SassInstruction& i) { return sass_name(i).starts_with("VOTE"); });
      CHECK((joined == atomics) == votes);
      CHECK((joined == 0) == !votes);
      ++kernels_seen, joined_ones += votes;
    }
    CHECK(kernels_seen == 16);
    CHECK(joined_ones == 9);
  }
}

TEST_CASE("uniform: registers that tell lanes apart, and those that don't") {
  const Built made = build("__global__ void k(int* s, int n) { s[threadIdx.x + n * blockIdx.x] = n; }");
  REQUIRE(made.module->find_base("k", true));
  const Function& f = *made.module->find_base("k", true);
  const auto uniform = uniform_registers(f);
  for (const Instruction& i : f.code) {
    if (i.parts[0] == "ld") CHECK(uniform[uint32_t(i.operands[0].value)]);  // parameters
    if (i.parts[0] == "mov" && i.operands[1].name.starts_with("%tid"))
      CHECK_FALSE(uniform[uint32_t(i.operands[0].value)]);
    if (i.parts[0] == "mov" && i.operands[1].name.starts_with("%ctaid"))
      CHECK(uniform[uint32_t(i.operands[0].value)]);
    if (i.parts[0] == "st") CHECK_FALSE(uniform[uint32_t(i.operands[0].value)]);
  }
}
