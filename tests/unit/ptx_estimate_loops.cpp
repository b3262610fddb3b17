// The estimated shape: loads that become one, loops that are unrolled, and the order of independent chains.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/estimate/join_loads.hpp"
#include "ptx/estimate/known_zeros.hpp"
#include "ptx/executed.hpp"

using namespace dojo::ptx;

namespace {

std::shared_ptr<const Module> with_rows(const std::string& text) {
  return parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>;\n.reg .b32 "
      "%r<40>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<40>;\n"
      ".shared .align 4 .b8 pad[8];\n.shared .align 4 .b8 rows[4096];\n" +
      text + "}\n");
}

uint32_t register_named(const Function& f, const std::string& name) {
  for (uint32_t r = 0; r < f.registers.size(); ++r)
    if (f.registers[r].name == name) return r;
  FAIL("no register " << name);
  return 0;
}

/// How often operations of each PTX opcode are executed when block `b` is visited `visits` times in one run.
uint64_t executed(const Module& m, uint32_t b, const std::string& opcode, uint64_t visits) {
  const Function& f = m.functions[0];
  const CodeShape shape = estimate_shape(m, f);
  uint64_t n = 0;
  for (const ShapeOp& op : shape.blocks[b].ops)
    if (op.ptx >= 0 && f.code[size_t(op.ptx)].opcode == opcode) n += runs_in(op, visits);
  return n;
}

const std::string counted_loop =
    "mov.u32 %r1, 0;\nL:\nld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\nadd.s64 %rd1, %rd1, 4;\n"
    "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r2;\n@%p1 bra L;\nst.global.f32 [%rd2], %f2;\nret;\n";

}  // namespace

TEST_CASE("estimate: zeros at the end of an address come from shifts, products, sums and where arrays lie") {
  const auto m = with_rows(
      "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 8;\nmov.u32 %r3, rows;\nadd.s32 %r4, %r3, %r2;\n"
      "mad.lo.s32 %r5, %r1, 48, 16;\nand.b32 %r6, %r1, -32;\nmov.u32 %r7, pad;\n"
      "mov.u32 %r8, 64;\nL: add.s32 %r8, %r8, 12;\nsetp.lt.s32 %p1, %r8, %r1;\n@%p1 bra L;\n"
      "st.shared.u32 [%r4], %r5;\nst.shared.u32 [%r7], %r6;\nret;\n");
  const Function& f = m->functions[0];
  const auto zeros = known_zeros(*m, f);
  const auto of = [&](const char* name) { return int(zeros[register_named(f, name)]); };
  CHECK(of("%r1") == 0);
  CHECK(of("%r2") == 8);
  CHECK(of("%r3") == 3);  // `rows` lies behind the 8 bytes of `pad`
  CHECK(of("%r4") == 3);
  CHECK(of("%r5") == 4);
  CHECK(of("%r6") == 5);
  CHECK(of("%r8") == 2);  // 64, then steps of 12
}

TEST_CASE("estimate: four neighbours in shared memory become one load where the address allows it") {
  const std::string loads =
      "ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4+4];\nld.shared.f32 %f3, [%r4+8];\n"
      "ld.shared.f32 %f4, [%r4+12];\nadd.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\nadd.f32 %f7, %f5, %f6;\n"
      "st.shared.f32 [%rd1], %f7;\nret;\n";
  const auto counts = [&](const std::string& address) {
    const auto m = with_rows("mov.u32 %r1, %tid.x;\n" + address + loads);
    const CodeShape shape = estimate_shape(*m, m->functions[0]);
    std::vector<int> widths;
    for (const ShapeOp& op : shape.blocks[0].ops)
      if (op.load && op.space == Space::shared) widths.push_back(op.width);
    int counted = 0;
    for (size_t i = 0; i < m->functions[0].code.size(); ++i)
      if (m->functions[0].code[i].meaning.loads()) counted += shape.accesses[i].counted;
    CHECK(counted == int(widths.size()));
    return widths;
  };
  CHECK(counts("shl.b32 %r4, %r1, 4;\n") == std::vector<int>{16});
  CHECK(counts("shl.b32 %r4, %r1, 3;\n") == std::vector<int>{8, 8});
  CHECK(counts("shl.b32 %r4, %r1, 2;\n") == std::vector<int>{4, 4, 4, 4});
}

TEST_CASE("estimate: a load that repeats is left out, unless its value can have changed") {
  const auto loads = [](const std::string& between, const char* space = "shared") {
    const std::string ld = std::string("ld.") + space + ".f32 ";
    const auto m = with_rows(ld + "%f1, [%rd1];\n" + between + ld +
                             "%f2, [%rd1];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd9], %f3;\nret;\n");
    const CodeShape shape = estimate_shape(*m, m->functions[0]);
    return std::count_if(shape.blocks[0].ops.begin(), shape.blocks[0].ops.end(),
                         [](const ShapeOp& op) { return op.load; });
  };
  CHECK(loads("") == 1);
  CHECK(loads("st.global.f32 [%rd2], %f1;\n") == 1);
  CHECK(loads("st.shared.f32 [%rd2], %f1;\n") == 2);
  CHECK(loads("st.f32 [%rd2], %f1;\n") == 2);
  CHECK(loads("bar.sync 0;\n") == 2);
  CHECK(loads("atom.shared.add.u32 %r1, [%rd3], 1;\n") == 2);
  CHECK(loads("add.s64 %rd1, %rd1, 4;\n") == 2);
  CHECK(loads("st.global.f32 [%rd2], %f1;\n", "global") == 2);
  CHECK(loads("st.global.f32 [%rd2], %f1;\n", "global.nc") == 1);
  CHECK(loads("", "volatile.shared") == 2);
  // What a predicated body stores counts as well; the load behind it is there once more.
  CHECK(loads("@%p1 bra M;\nst.shared.f32 [%rd2], %f1;\nM:\n") == 2);
}

TEST_CASE("estimate: registers hold the value of a load that is left out") {
  const auto m = with_rows(
      "ld.shared.f32 %f1, [%rd1];\nadd.f32 %f3, %f3, %f1;\nld.shared.f32 %f2, [%rd1];\n"
      "add.f32 %f3, %f3, %f2;\nst.shared.f32 [%rd2], %f3;\nret;\n");
  const Function& f = m->functions[0];
  const JoinedLoads joined = join_loads(*m, f, predicate(f));
  CHECK(joined.holds[register_named(f, "%f2")] == register_named(f, "%f1"));
  CHECK(joined.by[2] == 0);
}

TEST_CASE("estimate: a counted loop is unrolled by four, what is left runs as two and one") {
  const auto m = with_rows(counted_loop);
  CHECK(executed(*m, 1, "ld.global.f32", 11) == 11);
  CHECK(executed(*m, 1, "add.f32", 11) == 11);
  // Two turns of four, one of two, one of one: the steps, the comparison and the branch run once in each.
  for (const char* once : {"add.s64", "setp.lt.s32", "bra"}) CHECK(executed(*m, 1, once, 11) % 4 == 0);
  CHECK(executed(*m, 1, "bra", 11) == 4);
  CHECK(executed(*m, 1, "bra", 12) == 3);
  const CodeShape shape = estimate_shape(*m, m->functions[0]);
  const auto& ops = shape.blocks[1].ops;
  // The four loads of a turn are issued before its first sum, each for its own round.
  std::vector<int> phases;
  for (const ShapeOp& op : ops) {
    if (op.period != 4) continue;
    if (op.load) phases.push_back(op.phase);
    if (op.ptx >= 0 && m->functions[0].code[size_t(op.ptx)].opcode == "add.f32") break;
  }
  CHECK(phases == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("estimate: loops that ptxas leaves as they are") {
  const auto branches = [](std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != text.npos);
    text.replace(at, from.size(), to);
    const auto m = with_rows(text);
    return executed(*m, 1, "bra", 16);
  };
  CHECK(branches(counted_loop, "L:\n", "L:\n") == 4);
  CHECK(branches(counted_loop, "L:\n", "L:\n.pragma \"nounroll\";\n") == 16);
  CHECK(branches(counted_loop, "add.s32 %r1, %r1, 1;", "add.s32 %r1, %r1, %r3;") == 16);
  CHECK(branches(counted_loop, "add.f32 %f2, %f2, %f1;", "bar.sync 0;") == 16);
  CHECK(branches(counted_loop, "ld.global.f32", "ld.volatile.global.f32") == 16);
  std::string longer;
  for (int i = 0; i < 40; ++i) longer += "mul.f32 %f2, %f2, %f1;\n";
  CHECK(branches(counted_loop, "add.f32 %f2, %f2, %f1;\n", longer) == 16);
}

TEST_CASE("estimate: chains that don't depend on each other are interleaved, within a barrier's bounds") {
  const auto opcodes = [](const std::string& between) {
    std::string text;
    for (int k = 0; k < 5; ++k) text += "add.f32 %f1, %f1, %f9;\n";
    text += between;
    for (int k = 0; k < 5; ++k) text += "mul.f32 %f2, %f2, %f9;\n";
    const auto m = with_rows(text + "st.shared.f32 [%rd1], %f1;\nst.shared.f32 [%rd1+4], %f2;\nret;\n");
    std::string order;
    const CodeShape shape = estimate_shape(*m, m->functions[0]);
    for (const ShapeOp& op : shape.blocks[0].ops) {
      if (op.ptx < 0) continue;
      const std::string& opcode = m->functions[0].code[size_t(op.ptx)].opcode;
      if (opcode == "add.f32") order += 'a';
      if (opcode == "mul.f32") order += 'm';
    }
    return order;
  };
  CHECK(opcodes("") == "amamamamam");
  CHECK(opcodes("bar.sync 0;\n") == "aaaaammmmm");
}
