// Shapes from machine code against real hardware: executed instructions of the reduce tiers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/compile.hpp"
#include "ptx/sass.hpp"
#include "ptx_walk.hpp"

using namespace dojo;
using namespace dojo::ptx;

namespace {

struct Built {
  std::shared_ptr<const Module> module;
  std::vector<std::byte> cubin;
};

Built build(const std::string& source, const std::string& sm = "sm_90") {
  CompileRequest request;
  request.file = "step.cu";
  request.source = source;
  request.arch = "compute_75";
  Compiled c = compile(request);
  REQUIRE(c.ok);
  Built b;
  b.module = parse(c.ptx, "step.cu");
  Assembled a = assemble(strip_host(*b.module), sm);
  REQUIRE_MESSAGE(a.ok, a.message);
  b.cubin = a.cubin;
  return b;
}

// Block 256, static shared memory; the tiers' usual texts. D and E take two elements a thread.
const char* tiers = R"(
#define ONE int t = threadIdx.x; int i = blockIdx.x * blockDim.x + threadIdx.x; __shared__ float s[256]; \
  s[t] = in[i]; __syncthreads();
#define TWO int t = threadIdx.x; int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x; __shared__ float s[256]; \
  s[t] = in[i] + in[i + blockDim.x]; __syncthreads();
#define END if (t == 0) out[blockIdx.x] = s[0];
__global__ void A(const float* in, float* out) { ONE
  for (int k = 1; k < blockDim.x; k *= 2) { if (threadIdx.x % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); } END }
__global__ void B(const float* in, float* out) { ONE
  for (int k = 1; k < blockDim.x; k *= 2) { int x = 2 * k * t; if (x < blockDim.x) s[x] += s[x + k]; __syncthreads(); }
  END }
__global__ void C(const float* in, float* out) { ONE
  for (int k = blockDim.x / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } END }
__global__ void D(const float* in, float* out) { TWO
  for (int k = blockDim.x / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } END }
__global__ void E(const float* in, float* out) { TWO
  for (int k = blockDim.x / 2; k > 32; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  if (t < 32) { volatile float* v = s; v[t] += v[t + 32]; v[t] += v[t + 16]; v[t] += v[t + 8]; v[t] += v[t + 4];
    v[t] += v[t + 2]; v[t] += v[t + 1]; } END }
)";

}  // namespace

TEST_CASE("sass: executed instructions of the reduce tiers are an H100's") {
  // Nsight Compute on an H100 at N = 2^25: smsp__inst_executed.sum over the blocks,
  // thread_inst_executed_per_inst_executed and ..._pred_on_per_inst_executed. All exact but A's predicates:
  // which corrections of a remainder apply depends on data.
  struct Truth {
    const char* kernel;
    uint64_t instructions;  // all blocks
    uint64_t blocks;
    double threads, on, on_within;
  };
  const Truth truth[] = {{"A", 256901120, 131072, 31.87, 24.03, 0.2},
                         {"B", 139460608, 131072, 31.77, 19.49, 0.0051},
                         {"C", 106954752, 131072, 31.70, 20.08, 0.0051},
                         {"D", 56098816, 65536, 31.71, 20.64, 0.0051},
                         {"E", 28835840, 65536, 31.44, 26.56, 0.0051}};
  Built b = build(tiers);
  for (auto& t : truth) {
    CAPTURE(t.kernel);
    const Function* f = b.module->find_base(t.kernel, true);
    REQUIRE(f);
    Walk walk(*f, 256, {0, 0});
    auto shape = sass_shape(*b.module, *f, b.cubin);
    CHECK_FALSE(shape.estimated);
    auto c = count_executed(shape, *f, walk.visited);
    CHECK(c.all.warp == t.instructions / t.blocks);
    CHECK(double(c.all.thread) / double(c.all.warp) == doctest::Approx(t.threads).epsilon(0.0002));
    CHECK(std::abs(double(c.all.thread_on) / double(c.all.warp) - t.on) <= t.on_within);
    CHECK(c.divergent_branches == 0);
    uint64_t by_line = 0;
    for (auto& e : c.by_instruction) by_line += e.warp;
    CHECK(by_line == c.all.warp);
  }
}

TEST_CASE("sass: machine code of every supported architecture is read and mapped") {
  for (const char* sm : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    CAPTURE(sm);
    Built b = build(tiers, sm);
    Cubin cubin = read_cubin(b.cubin);
    CHECK("sm_" + std::to_string(cubin.sm) == sm);
    for (const char* name : {"A", "B", "C", "D", "E"}) {
      CAPTURE(name);
      const Function* f = b.module->find_base(name, true);
      auto* code = cubin.find(f->name);
      REQUIRE(code);
      CHECK(code->has_lines);
      for (auto& i : code->code)
        if (i.op() == sass::bra) CHECK((i.target >= 0 && i.target < int64_t(code->code.size() * 16)));
      auto shape = sass_shape(*b.module, *f, b.cubin);
      CHECK_FALSE(shape.estimated);
      Walk walk(*f, 256, {0, 0});
      auto machine = count_executed(shape, *f, walk.visited);
      auto rule = count_executed(estimate_shape(*b.module, *f), *f, walk.visited);
      CHECK(double(rule.all.warp) > 0.75 * double(machine.all.warp));
      CHECK(double(rule.all.warp) < 1.25 * double(machine.all.warp));
    }
  }
}

TEST_CASE("sass: bytes that are no cubin, or half of one, give the estimate") {
  Built b = build(tiers);
  const Function* f = b.module->find_base("C", true);
  CHECK(sass_shape(*b.module, *f, {}).estimated);
  for (size_t cut = 1; cut < b.cubin.size(); cut += b.cubin.size() / 97) {
    std::vector<std::byte> part(b.cubin.begin(), b.cubin.begin() + long(cut));
    CHECK_NOTHROW(sass_shape(*b.module, *f, part));
  }
  std::vector<std::byte> noise = b.cubin;
  for (size_t i = 64; i < noise.size(); i += 7) noise[i] ^= std::byte(i * 31);
  CHECK_NOTHROW(sass_shape(*b.module, *f, noise));
}
