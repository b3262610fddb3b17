// Shapes from machine code against real hardware: executed instructions of the reduce tiers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../near.hpp"
#include "ptx_build.hpp"
#include "ptx_walk.hpp"

using namespace dojo;
using namespace dojo::ptx;

namespace {

// Block 256, static shared memory; the tiers' usual texts. D and E take two elements a thread.
const char* tiers = R"(
#define ONE int t = threadIdx.x; int i = blockIdx.x * blockDim.x + threadIdx.x; __shared__ float s[256]; \
  s[t] = in[i]; __syncthreads();
#define TWO int t = threadIdx.x; int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x; \
  __shared__ float s[256]; s[t] = in[i] + in[i + blockDim.x]; __syncthreads();
#define END if (t == 0) out[blockIdx.x] = s[0];
__global__ void A(const float* in, float* out) { ONE
  for (int k = 1; k < blockDim.x; k *= 2) {
    if (threadIdx.x % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); }
  END }
__global__ void B(const float* in, float* out) { ONE
  for (int k = 1; k < blockDim.x; k *= 2) {
    int x = 2 * k * t; if (x < blockDim.x) s[x] += s[x + k]; __syncthreads(); }
  END }
__global__ void C(const float* in, float* out) { ONE
  for (int k = blockDim.x / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } END }
__global__ void D(const float* in, float* out) { TWO
  for (int k = blockDim.x / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } END }
__global__ void E(const float* in, float* out) { TWO
  for (int k = blockDim.x / 2; k > 32; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  if (t < 32) { volatile float* v = s; v[t] += v[t + 32]; v[t] += v[t + 16];
    v[t] += v[t + 8]; v[t] += v[t + 4];
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
    CHECK(double(c.all.thread) / double(c.all.warp) == dojo::tolerance::within(t.threads, 0.0002));
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

TEST_CASE("sass: registers that instructions read are the function's, by operand") {
  // Everything with sources of its own kind: products, sums, logic, shifts, conversions, special functions,
  // memory.
  const char* source = R"(
#include <cuda_fp16.h>
__global__ void mixed(const float* in, const int* index, const half2* h, float* out, int n) {
  __shared__ float here[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = index[i];
  float a = in[i], b = in[j], c = fmaf(a, b, in[i + n]);
  here[threadIdx.x] = c * sinf(b) + rsqrtf(a);
  __syncthreads();
  unsigned bits = (__float_as_uint(c) ^ unsigned(j)) >> (i % 7);
  long long wide = (long long)j * n + i;
  half2 s = __hfma2(h[i], h[j], __hadd2(h[i], h[j]));
  c += here[255 - threadIdx.x] + float(__popc(bits)) + float(wide % 1000) + __low2float(s) +
    __shfl_xor_sync(~0u, c, j & 31);
  out[i] = fmaxf(c, a) + (b > c ? float(min(j, n)) : __int2float_rn(int(bits)));
  atomicAdd(&out[j], a);
})";
  for (const char* sm : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
    CAPTURE(sm);
    const Built b = build(source, sm);
    const Cubin cubin = read_cubin(b.cubin);
    REQUIRE(cubin.functions.size() >= 1);
    const SassFunction& f = cubin.functions[0];
    REQUIRE(f.registers > 0);
    size_t three = 0, kept = 0;
    for (size_t k = 0; k < f.code.size(); ++k) {
      const SassInstruction& i = f.code[k];
      CAPTURE(sass_name(i));
      for (uint8_t r : i.sources)
        if (r != SassInstruction::no_register) CHECK(int(r) < f.registers);
      const RegisterReads reads = sass_reads(i, k ? &f.code[k - 1] : nullptr);
      CHECK(reads.all[0] + reads.all[1] <= 4);
      CHECK(reads.kept[0] <= reads.all[0]);
      CHECK(reads.kept[1] <= reads.all[1]);
      three += reads.all[0] + reads.all[1] == 3;
      kept += reads.kept[0] + reads.kept[1];
    }
    CHECK(three > 4);
    CHECK(kept > 0);
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

TEST_CASE("sass: a tiled matmul's shared loads are counted as merged, 320 a warp instead of 512") {
  // Measured on an H100: 16 x 16 tiles, 16 of them: 512 shared loads a warp in PTX, 320 executed.
  Built b = build(R"(
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float sa[16][16], sb[16][16];
  int x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    sa[y][x] = a[row * n + t + x]; sb[y][x] = b[(t + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += sa[y][k] * sb[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
)");
  const Function* f = b.module->find_base("multiply", true);
  Walk walk(*f, 256, {0, 0, 0, 256});
  auto shape = sass_shape(*b.module, *f, b.cubin);
  CHECK_FALSE(shape.estimated);
  CHECK(count_executed(estimate_shape(*b.module, *f), *f, walk.visited).shared_loads == 8 * 320);  // by rule
  auto c = count_executed(shape, *f, walk.visited);
  CHECK(c.shared_loads == 8 * 320);
  CHECK(c.shared_stores == 8 * 32);
  CHECK(c.global_loads == 8 * 32);
  int wide = 0, gone = 0;
  for (auto& a : shape.accesses) wide += a.merged_width == 16, gone += !a.counted;
  CHECK(wide == 4);
  CHECK(gone == 12);
}

TEST_CASE("sass: steps of an unrolled loop share the visits of a run") {
  // 11 visits: two rounds of four, one of two, one single.
  ShapeOp four, two, one, once, enough, ahead;
  four.period = 4, four.phase = 3;
  two.period = 2, two.below = 4;
  one.period = 1, one.below = 2;
  once.period = 0;
  enough.period = 0, enough.below = 4;  // leads into the rounds of four
  ahead.phase = 1;                      // the first turn was taken out of the loop
  CHECK(runs_in(four, 11) == 2);
  CHECK(runs_in(two, 11) == 1);
  CHECK(runs_in(one, 11) == 1);
  CHECK(runs_in(once, 11) == 1);
  CHECK(runs_in(enough, 11) == 1);
  CHECK(runs_in(enough, 3) == 0);
  CHECK(runs_in(ahead, 11) == 10);
  for (auto* op : {&four, &two, &one, &once, &enough, &ahead})
    for (uint64_t length : {0, 1, 2, 3, 4, 7, 8, 11, 15}) {
      uint64_t n = 0;
      for (uint64_t visit = 0; visit < length; ++visit) n += runs_at(*op, visit, length);
      CHECK(n == runs_in(*op, length));
    }
  CHECK(runs_at(four, 7, 11));
  CHECK(runs_at(two, 8, 11));
  CHECK(runs_at(one, 10, 11));
}

TEST_CASE("sass: a loop with an if, unrolled twice over, executes each turn once") {
  Built b = build(
      "__global__ void copy_rows(float* out, const float* in, int rows, int limit) {\n"
      "  __shared__ float s[64][33];\n"
      "  for (int j = threadIdx.x / 32; j < rows; j += 8)\n"
      "    if (j < limit) s[j & 63][threadIdx.x & 31] = in[j * 32 + (threadIdx.x & 31)];\n"
      "  __syncthreads(); out[threadIdx.x] = s[threadIdx.x & 31][threadIdx.x / 32]; }\n");
  const Function* f = b.module->find_base("copy_rows", true);
  auto shape = sass_shape(*b.module, *f, b.cubin);
  CHECK_FALSE(shape.estimated);
  for (uint64_t turns : {1, 3, 4, 5, 16, 23, 40}) {
    Walk walk(*f, 256, {0, 0, 8 * turns, 8 * turns});
    auto c = count_executed(shape, *f, walk.visited);
    CAPTURE(turns);
    CHECK(c.shared_stores == 8 * turns);
    CHECK(c.global_loads == 8 * turns);
  }
}

TEST_CASE(
    "sass: additions of floating point in memory are atomics of their PTX instruction, returned or not") {
  Built b = build(R"(
__global__ void sums(float* f, double* d, float* out, double* more) {
  atomicAdd(f, 1.0f);
  atomicAdd(d, 2.0);
  out[threadIdx.x] = atomicAdd(f + 1, 3.0f);
  more[threadIdx.x] = atomicAdd(d + 1, 4.0);
})");
  const Function* f = b.module->find_base("sums", true);
  auto shape = sass_shape(*b.module, *f, b.cubin);
  CHECK_FALSE(shape.estimated);
  int atomics = 0;
  for (const auto& block : shape.blocks)
    for (const auto& op : block.ops)
      if (op.atomic) {
        ++atomics;
        CHECK(op.memory >= 0);
      }
  CHECK(atomics == 4);
}

TEST_CASE("sass: a loop's branch that a far call replaces on sm_86 is still a branch") {
  std::string body;
  for (int i = 0; i < 220; ++i)
    body += "v = v * " + std::to_string(i + 2) + ".5f + s[(t + " + std::to_string(i) + ") & 255];\n";
  Built b = build(
      "__global__ void far_loop(float* out, int n) { __shared__ float s[256]; int t = threadIdx.x; float v = "
      "out[t];\n"
      "for (int i = 0; i < n; i++) { s[t] = v; __syncthreads();\n" +
          body + "__syncthreads(); } out[t] = v; }\n",
      "sm_86");
  const Function* f = b.module->find_base("far_loop", true);
  auto shape = sass_shape(*b.module, *f, b.cubin);
  CHECK_FALSE(shape.estimated);
  Walk walk(*f, 64, {0, 5});
  auto c = count_executed(shape, *f, walk.visited);
  CHECK(c.shared_stores == 2 * 5);
}

TEST_CASE("sass: a divided warp runs both sides, and the meeting point once per split") {
  // Long enough that neither side is predicated.
  std::string side;
  for (int i = 0; i < 12; ++i) side += "v = __fsqrt_rn(v) * out[t + " + std::to_string(i) + "] + 1.f;";
  Built b = build(
      "__global__ void split(float* out) { int t = threadIdx.x; float v = out[t];\n"
      "if (t & 1) { " +
      side + " }\n__syncwarp(); out[t] = v; }\n");
  const Function* f = b.module->find_base("split", true);
  auto shape = sass_shape(*b.module, *f, b.cubin);
  CHECK_FALSE(shape.estimated);
  Walk walk(*f, 256, {0});
  auto c = count_executed(shape, *f, walk.visited);
  CHECK(c.divergent_branches == 8);
  int meeting = 0;
  for (auto& block : shape.blocks)
    for (auto& op : block.ops) meeting += op.splits.size() == 1;
  CHECK(meeting == 1);
  // All lanes but the odd ones' side: between half and all of the lanes are there on average.
  double lanes = double(c.all.thread) / double(c.all.warp);
  CHECK(lanes > 16);
  CHECK(lanes < 31);
}

TEST_CASE("sass: instructions have the names that NVIDIA's disassembler gives them") {
  // Opcodes that occur in references compiled for sm_90, as cuobjdump 13.0 lists them.
  const std::pair<uint16_t, const char*> listed[] = {
      {0x002, "MOV"},           {0x005, "CS2R"},      {0x007, "SEL"},      {0x008, "FSEL"},
      {0x009, "FMNMX"},         {0x00b, "FSETP"},     {0x00c, "ISETP"},    {0x010, "IADD3"},
      {0x011, "LEA"},           {0x012, "LOP3"},      {0x016, "PRMT"},     {0x019, "SHF"},
      {0x01c, "PLOP3"},         {0x020, "FMUL"},      {0x021, "FADD"},     {0x023, "FFMA"},
      {0x024, "IMAD"},          {0x025, "IMAD"},      {0x029, "DADD"},     {0x02d, "PREEXIT"},
      {0x02e, "ACQBULK"},       {0x030, "HADD2"},     {0x035, "HFMA2"},    {0x036, "VIADD"},
      {0x03b, "LDSM"},          {0x03c, "HMMA"},      {0x03e, "F2FP"},     {0x040, "HMNMX2"},
      {0x045, "I2FP"},          {0x046, "VIADDMNMX"}, {0x047, "VHMNMX"},   {0x048, "VIMNMX"},
      {0x082, "UMOV"},          {0x086, "VOTEU"},     {0x087, "USEL"},     {0x08c, "UISETP"},
      {0x090, "UIADD3"},        {0x091, "ULEA"},      {0x092, "ULOP3"},    {0x099, "USHF"},
      {0x0a4, "UIMAD"},         {0x0a5, "UIMAD"},     {0x0b9, "ULDC"},     {0x0bb, "ULDC"},
      {0x0bd, "UFLO"},          {0x0ca, "R2UR"},      {0x100, "FLO"},      {0x102, "FCHK"},
      {0x108, "MUFU"},          {0x109, "POPC"},      {0x118, "NOP"},      {0x119, "S2R"},
      {0x11b, "ENDCOLLECTIVE"}, {0x11d, "BAR"},       {0x141, "BSYNC"},    {0x144, "CALL"},
      {0x145, "BSSY"},          {0x147, "BRA"},       {0x148, "WARPSYNC"}, {0x14d, "EXIT"},
      {0x150, "RET"},           {0x181, "LDG"},       {0x182, "LDC"},      {0x184, "LDS"},
      {0x186, "STG"},           {0x188, "STS"},       {0x189, "SHFL"},     {0x18f, "CCTL"},
      {0x192, "MEMBAR"},        {0x1a8, "ATOMG"},     {0x1ab, "ERRBAR"},   {0x1c3, "S2UR"}};
  for (const auto& entry : listed) {
    SassInstruction i;
    i.opcode = entry.first;
    CHECK_MESSAGE(sass_name(i).starts_with(entry.second), sass_name(i) << " is " << entry.second);
  }
}
