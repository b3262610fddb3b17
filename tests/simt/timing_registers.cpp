// Instructions held up by the banks of the register file, against tests/microbench/registers.cu.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../near.hpp"
#include "microbench.hpp"
#include "ptx/sass.hpp"
#include "recorded.hpp"
#include "simt/time/sm.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Row;

namespace {

struct RegisterPattern {
  std::vector<std::array<uint8_t, 3>> sources;
  uint8_t reuse = 0;
};

constexpr std::array<uint8_t, 3> kEven{4, 6, 8}, kOdd{5, 7, 9}, kFive{5, 5, 5};

/// As in registers.cu, but for those that depend on which registers ptxas gave to the sums.
const std::map<std::string, RegisterPattern> kPatterns = {
    {"4 4 4", {{{4, 4, 4}}}},
    {"4 5 6", {{{4, 5, 6}}}},
    {"4 6 8, even", {{kEven}}},
    {"5 7 9, odd", {{kOdd}}},
    {"4 8 12, by four", {{{4, 8, 12}}}},
    {"4 6 5", {{{4, 6, 5}}}},
    {"4 6 4, one twice", {{{4, 6, 4}}}},
    {"4 6 and none", {{{4, 6, 255}}}},
    {"4 5 and none", {{{4, 5, 255}}}},
    {"4 6 8, then 5 7 9", {{kEven, kOdd}}},
    {"4 6 8 twice, then 5 7 9 twice", {{kEven, kEven, kOdd, kOdd}}},
    {"4 6 8, then 5 5 5 twice", {{kEven, kFive, kFive}}},
    {"4 6 8 twice, then 5 5 5 four times", {{kEven, kEven, kFive, kFive, kFive, kFive}}},
    {"4 6 8 four times, then 5 5 5 eight times",
     {{kEven, kEven, kEven, kEven, kFive, kFive, kFive, kFive, kFive, kFive, kFive, kFive}}},
    {"4 6 5, then 4 5 7", {{{4, 6, 5}, {4, 5, 7}}}},
    {"4 6 8, then 4 10 12", {{kEven, {4, 10, 12}}}},
    {"4 6 8, then 4 10 12, first kept", {{kEven, {4, 10, 12}}, 1}},
    {"4 6 8, then 10 4 12, first kept in vain", {{kEven, {10, 4, 12}}, 1}},
    {"4 6 8, then 4 6 10, first and second kept", {{kEven, {4, 6, 10}}, 3}},
};

/// Cycles of a scheduler an instruction: turns of 64 instructions of the pattern, by so many warps a
/// scheduler. `stall`: until a warp's next.
double cycles(ptx::Pipe pipe, const RegisterPattern& p, int warps, int stall = 1) {
  constexpr int kTurns = 16, kCode = 64;
  ptx::Module module;
  module.functions.resize(1);
  module.functions[0].blocks.push_back({});
  module.functions[0].code.resize(kCode);
  module.functions[0].blocks[0].last = kCode - 1;
  auto shape = std::make_shared<ptx::CodeShape>();
  shape->estimated = false;
  shape->blocks.resize(1);
  std::vector<ptx::SassInstruction> code(kCode);
  for (int i = 0; i < kCode; ++i) {
    code[size_t(i)].sources = p.sources[size_t(i) % p.sources.size()];
    code[size_t(i)].reuse = p.reuse;
    ptx::ShapeOp op;
    op.pipe = pipe;
    op.stall = uint8_t(stall);
    op.reads = ptx::sass_reads(code[size_t(i)], i ? &code[size_t(i) - 1] : nullptr);
    shape->blocks[0].ops.push_back(op);
  }
  BlockTrace b;
  WarpTrace w;
  for (int t = 0; t < kTurns; ++t) w.steps.push_back({0, 0, ~0u, 0});
  b.warps.assign(size_t(4 * warps), w);
  LaunchTrace launch;
  launch.shape = shape;
  ShapeTable shapes(module, 0, launch);
  SmInputs in;
  in.model = &device_model("h100");
  in.shapes = &shapes;
  in.blocks = {&b};
  in.active_sms = 1;
  const SmResult r = simulate_sm(in);
  CHECK(r.issued == uint64_t(kTurns * kCode * 4 * warps));
  return double(r.end) / (kTurns * kCode * warps);
}

}  // namespace

TEST_CASE("instructions whose registers lie in one bank take what an H100 takes for them") {
  double loop = 0;  // what the loop around the instructions takes of each of them, by the first row of a kind
  hold(
      {"h100-registers.txt", "registers of one bank"}, "{kind:w} {what:43} 64 changed: {} {} {} {=cycles}",
      [&](const Row& row) -> std::optional<double> {
        const auto p = kPatterns.find(row.text("what"));
        if (p == kPatterns.end()) return {};
        const std::string& kind = row.text("kind");
        const ptx::Pipe pipe = kind == "FFMA"   ? ptx::Pipe::fma
                               : kind == "IMAD" ? ptx::Pipe::fmaheavy
                                                : ptx::Pipe::alu;
        if (p->first == "4 4 4") loop = row.measured - std::round(row.measured);
        return cycles(pipe, p->second, 8) + loop;
      },
      dojo::test::Compare::every_line);
}

TEST_CASE("what an instruction kept is lost when another warp's comes between") {
  const RegisterPattern kept{{{4, 6, 8}, {4, 6, 10}}, 3};
  CHECK(cycles(ptx::Pipe::fma, kept, 1) == dojo::tolerance::within(1, 0.05));
  CHECK(cycles(ptx::Pipe::fma, kept, 4) == dojo::tolerance::within(1, 0.05));  // one goes on while it can
  CHECK(cycles(ptx::Pipe::fma, kept, 4, 4) ==
        dojo::tolerance::within(3, 0.05));  // each waits four cycles: they take turns
}
