// The estimated shape: which branches are predicated, and what visits become in executed instructions.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/estimate/live_registers.hpp"
#include "ptx/executed.hpp"

using namespace dojo::ptx;

namespace {

std::shared_ptr<const Module> kernel(const std::string& text) {
  return parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>;\n.reg .b32 "
      "%r<9>;\n"
      ".reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" +
      text + "}\n");
}

/// All instructions of a block seen alike.
void visit(const Function& f, std::vector<Visited>& v, uint32_t block, uint64_t times, uint64_t lanes,
           uint64_t divergent = 0) {
  for (uint32_t i = f.blocks[block].first; i <= f.blocks[block].last; ++i) v[i] = {times, lanes, 0};
  v[f.blocks[block].last].divergent = divergent;
}

}  // namespace

TEST_CASE("estimate: a short if body is predicated and runs whether lanes enter or not") {
  auto m = kernel(
      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nadd.f32 %f1, %f1, %f2;\nst.shared.f32 [%rd1], %f1;\nL: "
      "bar.sync 0;\nret;\n");
  auto& f = m->functions[0];
  auto s = estimate_shape(*m, f);
  CHECK(s.estimated);
  CHECK(s.blocks[1].predicated_into == 0);
  CHECK(s.blocks[1].ops.empty());
  CHECK_FALSE(s.divergent_counts[1]);
  std::vector<Visited> v(f.code.size());
  visit(f, v, 0, 10, 320, 4);
  visit(f, v, 1, 4, 64);
  visit(f, v, 2, 10, 320);
  auto c = count_executed(s, f, v);
  CHECK(c.all.warp == 10 * (1 + 3 + 2));  // the stack pointer; setp, add, st; bar, exit
  CHECK(c.all.thread == 32 * c.all.warp);
  CHECK(c.all.thread_on == 320 * 4 + 64 * 2);
  CHECK(c.divergent_branches == 0);
  CHECK(c.shared_stores == 10);
}

TEST_CASE(
    "estimate: nested short triangles collapse from the inside, a long one or one with a barrier stays") {
  auto m = kernel(
      "@%p1 bra L;\nadd.f32 %f1, %f1, %f2;\n@%p2 bra M;\nadd.f32 %f1, %f1, %f3;\nM: add.f32 %f4, %f1, "
      "%f2;\nL: bar.sync 0;\nret;\n");
  auto s = estimate_shape(*m, m->functions[0]);
  for (int b : {1, 2, 3}) CHECK(s.blocks[size_t(b)].predicated_into == 0);
  std::string longer = "@%p1 bra L;\n";
  for (int i = 0; i < 12; ++i) longer += "add.f32 %f1, %f1, %f2;\n";
  auto t = kernel(longer + "L: bar.sync 0;\nret;\n");
  CHECK(estimate_shape(*t, t->functions[0]).blocks[1].predicated_into == -1);
  auto b = kernel("@%p1 bra L;\nbar.sync 0;\nL: add.f32 %f1, %f1, %f2;\nret;\n");
  CHECK(estimate_shape(*b, b->functions[0]).blocks[1].predicated_into == -1);
}

TEST_CASE("estimate: an instruction that lacks its operands is no reason to crash") {  // found by fuzzing
  for (const char* bare :
       {"mul.wide.s32;", "mov.u32;", "ld.global.f32;", "setp.lt.s32;", "cvt.f32.s32;", "brev.b32;"}) {
    CAPTURE(bare);
    auto m = kernel(std::string(bare) + "\nret;\n");
    CHECK(estimate_shape(*m, m->functions[0]).blocks.size() == m->functions[0].blocks.size());
  }
}

TEST_CASE("estimate: a branch to the return is a predicated exit, not a divergent branch") {
  auto m = kernel(
      "setp.ge.u32 %p1, %r1, 4;\n@%p1 bra OUT;\nadd.f32 %f1, %f1, %f2;\nst.global.f32 [%rd1], %f1;\nbar.sync "
      "0;\nOUT: ret;\n");
  auto& f = m->functions[0];
  auto s = estimate_shape(*m, f);
  CHECK_FALSE(s.divergent_counts[1]);
  std::vector<Visited> v(f.code.size());
  visit(f, v, 0, 10, 320, 3);  // of ten warps five stay whole, three part, two leave whole
  visit(f, v, 1, 8, 200);
  visit(f, v, 2, 13, 320);
  auto c = count_executed(s, f, v);
  CHECK(c.all.warp == 10 * (2 + 2) + 8 * 3 + 8);
  CHECK(c.all.thread == 320 * 4 + 200 * 3 + 200);
  CHECK(c.all.thread_on == 320 * 3 + 120 + 200 * 3 + 200);
  CHECK(c.divergent_branches == 0);
}

TEST_CASE("executed: lanes on edges follow from the blocks' lanes") {
  auto m = kernel(
      "L: .pragma \"nounroll\";\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\nret;\n");
  auto& f = m->functions[0];
  std::vector<Visited> v(f.code.size());
  visit(f, v, 0, 7, 224);
  visit(f, v, 1, 1, 32);
  auto e = edge_lanes(f, v);
  REQUIRE(e[0].size() == 2);
  CHECK(e[0][0] == 192);
  CHECK(e[0][1] == 32);
  auto c = count_executed(estimate_shape(*m, f), f, v);
  CHECK(c.all.thread_on == 224 * 3 + 192 + 32);
}

namespace {

/// The PTX instructions of a block's ops in the order in which they are issued, the head of the kernel left
/// out.
std::vector<std::string> issued(const Module& m, uint32_t block = 0) {
  const auto& f = m.functions[0];
  std::vector<std::string> all;
  const CodeShape shape = estimate_shape(m, f);
  for (const ShapeOp& op : shape.blocks[block].ops)
    if (op.ptx >= 0) all.push_back(f.code[size_t(op.ptx)].opcode);
  return all;
}
using Opcodes = std::vector<std::string>;

}  // namespace

TEST_CASE("estimate: loads are issued before what waits for the first of them") {
  CHECK(issued(*kernel("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\nld.global.f32 %f3, [%rd2];\n"
                       "add.f32 %f2, %f2, %f3;\nst.global.f32 [%rd3], %f2;\nret;\n")) ==
        Opcodes{"ld.global.f32", "ld.global.f32", "add.f32", "add.f32", "st.global.f32", "ret"});
  // What computes an address comes along; a load whose address is loaded comes after the independent ones.
  auto chain =
      issued(*kernel("ld.global.b64 %rd2, [%rd1];\nld.global.f32 %f1, [%rd2];\nadd.f32 %f2, %f2, %f1;\n"
                     "mul.lo.s64 %rd3, %rd1, %rd4;\nld.global.u32 %r1, [%rd3];\nst.shared.u32 [%rd5], %r1;\n"
                     "st.shared.f32 [%rd6], %f2;\nret;\n"));
  chain.erase(std::unique(chain.begin(), chain.end()), chain.end());  // a product of 64 bits is several
  CHECK(chain == Opcodes{"ld.global.b64", "mul.lo.s64", "ld.global.u32", "ld.global.f32", "st.shared.u32",
                         "add.f32", "st.shared.f32", "ret"});
}

TEST_CASE("estimate: a load passes no barrier and no store that can have its address") {
  const char* load = "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd3], %f1;\nret;\n";
  const auto behind = [&](const std::string& first) {
    const auto all = issued(*kernel("add.f32 %f2, %f2, %f3;\n" + first + load));
    return std::find(all.begin(), all.end(), "ld.global.f32") - all.begin();
  };
  CHECK(behind("st.shared.f32 [%rd1], %f2;\n") == 0);  // another space: it passes
  CHECK(behind("st.global.f32 [%rd1], %f2;\n") == 2);
  CHECK(behind("st.f32 [%rd1], %f2;\n") == 2);  // a generic address may be global
  CHECK(behind("bar.sync 0;\n") == 2);
  CHECK(behind("fence.acq_rel.gpu;\n") >= 2);
  const auto constant = issued(*kernel(
      "st.global.f32 [%rd1], %f2;\nld.global.nc.f32 %f1, [%rd2];\nst.global.f32 [%rd3], %f1;\nret;\n"));
  CHECK(constant.front() == "ld.global.nc.f32");
}

TEST_CASE("estimate: at most 96 registers wait for data, and one for the sum") {
  std::string text = ".reg .f32 %g<200>;\n";
  for (int i = 0; i < 150; ++i) {
    text += "ld.global.f32 %g" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    text += "add.f32 %f1, %f1, %g" + std::to_string(i) + ";\n";
  }
  const auto all = issued(*kernel(text + "st.shared.f32 [%rd2], %f1;\nret;\n"));
  CHECK(std::find(all.begin(), all.end(), "add.f32") - all.begin() == 97);  // the sum's own is the one more
  CHECK(std::count(all.begin(), all.end(), "ld.global.f32") == 150);
}

TEST_CASE("estimate: guarded loads one after the other are straight code, issued together") {
  auto m = kernel(
      "setp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r2, 0;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, %f1;\n"
      "@%p1 bra L;\nld.global.f32 %f1, [%rd1];\nL: add.f32 %f3, %f3, %f1;\n@%p2 bra M;\n"
      "ld.global.f32 %f2, [%rd2];\nM: add.f32 %f3, %f3, %f2;\nst.shared.f32 [%rd3], %f3;\nret;\n");
  const auto shape = estimate_shape(*m, m->functions[0]);
  for (size_t b : {1, 2, 3, 4}) CHECK(shape.blocks[b].predicated_into == 0);
  const auto all = issued(*m);
  const auto last_load = std::find(all.rbegin(), all.rend(), "ld.global.f32");
  REQUIRE(last_load != all.rend());
  CHECK(std::find(all.begin(), last_load.base(), "add.f32") == last_load.base());
  // The loads run for the lanes that enter their blocks, the sums for all.
  for (const ShapeOp& op : shape.blocks[0].ops)
    if (op.ptx >= 0 && m->functions[0].code[size_t(op.ptx)].opcode == "add.f32") CHECK(op.guard_block == -1);
}

TEST_CASE("estimate: the branch back to a loop's head stays when its body is several blocks") {
  auto m = kernel(
      "L: setp.eq.u32 %p1, %r1, 0;\n@%p1 bra M;\nld.global.f32 %f1, [%rd1];\nM: add.f32 %f3, %f3, %f1;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, %r3;\n@%p2 bra L;\nst.shared.f32 [%rd3], %f3;\nret;\n");
  const auto all = issued(*m);
  CHECK(std::count(all.begin(), all.end(), "bra") == 1);
  CHECK(all.back() == "bra");
}

TEST_CASE("estimate: registers are what is live at once, parameters and constants apart") {
  const auto registers = [](const std::string& text) {
    const auto m = kernel(text);
    return estimate_registers(*m, m->functions[0]);
  };
  std::string loads = ".reg .b64 %d<60>;\n", sums;
  for (int i = 0; i < 50; ++i) {
    loads += "ld.global.b64 %d" + std::to_string(i) + ", [%rd1+" + std::to_string(8 * i) + "];\n";
    sums += "add.s64 %rd2, %rd2, %d" + std::to_string(i) + ";\n";
  }
  const std::string end = "st.global.b64 [%rd1], %rd2;\nret;\n";
  CHECK(registers(loads + sums + end) == 50 * 2 + 2 * 2 + 6);  // 50 results, an address and the sum
  std::string one_by_one = ".reg .b64 %d<60>;\n";
  for (int i = 0; i < 50; ++i)
    one_by_one += "ld.global.b64 %d" + std::to_string(i) + ", [%rd1];\nadd.s64 %rd2, %rd2, %d" +
                  std::to_string(i) + ";\n";
  CHECK(registers(one_by_one + end) == 16);  // no kernel has fewer
  std::string constants = ".reg .b32 %c<60>;\n", uses;
  for (int i = 0; i < 50; ++i) {
    constants += "mov.u32 %c" + std::to_string(i) + ", " + std::to_string(i) + ";\n";
    uses += "add.s32 %r1, %r1, %c" + std::to_string(i) + ";\n";
  }
  CHECK(registers(constants + uses + "st.global.u32 [%rd1], %r1;\nret;\n") == 16);
  // Live around a loop, though read only before it in the text.
  CHECK(registers(loads + "L: " + sums + "setp.lt.s64 %p1, %rd2, 100;\n@%p1 bra L;\n" + end) ==
        50 * 2 + 2 * 2 + 6);
}

TEST_CASE(
    "estimate: an exponential is one instruction of the special pipe, and an int becomes a float on the "
    "ALU") {
  const auto pipes = [](const std::string& text) {
    auto m = kernel(text + "\nst.shared.f32 [%rd1], %f1;\nret;\n");
    std::vector<Pipe> all;
    const CodeShape shape = estimate_shape(*m, m->functions[0]);
    for (const ShapeOp& op : shape.blocks[0].ops)
      if (op.ptx == 0) all.push_back(op.pipe);
    return all;
  };
  // Denormal operands are scaled before and after it: a comparison and two products.
  CHECK(pipes("ex2.approx.f32 %f1, %f2;") == std::vector<Pipe>{Pipe::fma, Pipe::fma, Pipe::fma, Pipe::xu});
  CHECK(pipes("ex2.approx.ftz.f32 %f1, %f2;") == std::vector<Pipe>{Pipe::xu});
  CHECK(pipes("cvt.rn.f32.s32 %f1, %r1;") == std::vector<Pipe>{Pipe::alu});
  CHECK(pipes("cvt.rzi.s32.f32 %r1, %f2;\nst.shared.u32 [%rd2], %r1;") == std::vector<Pipe>{Pipe::xu});
}

TEST_CASE("estimate: a body with an atomic, or one that branches around to the return, is not predicated") {
  auto atomic = kernel("@%p1 bra L;\nred.global.add.u32 [%rd1], 1;\nL: bar.sync 0;\nret;\n");
  CHECK(estimate_shape(*atomic, atomic->functions[0]).blocks[1].predicated_into == -1);
  auto last = kernel("@%p1 bra L;\nst.global.f32 [%rd1], %f1;\nL: ret;\n");
  const CodeShape exit = estimate_shape(*last, last->functions[0]);
  CHECK(exit.blocks[1].predicated_into == -1);
  CHECK(exit.blocks[2].exits_from == std::vector<uint32_t>{0});
}

TEST_CASE("estimate: a body with a condition inside is predicated without memory accesses alone") {
  const auto outer = [](const std::string& inner) {
    auto m = kernel("@%p1 bra L;\nadd.f32 %f1, %f1, %f2;\n@%p2 bra M;\n" + inner +
                    "M: add.f32 %f4, %f1, %f2;\nL: bar.sync 0;\nret;\n");
    return estimate_shape(*m, m->functions[0]).blocks[1].predicated_into;
  };
  CHECK(outer("add.f32 %f1, %f1, %f3;\n") == 0);
  CHECK(outer("st.shared.f32 [%rd1], %f1;\n") == -1);
}

TEST_CASE("estimate: a loop with nothing to do beside a body of global loads keeps the branch") {
  const auto in_loop = [](const std::string& beside) {
    auto m = kernel(
        "L: setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra M;\nld.global.f32 %f1, [%rd1];\n"
        "ld.global.f32 %f2, [%rd2];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd1], %f3;\n"
        "M: bar.sync 0;\n" +
        beside + "shr.u32 %r2, %r2, 1;\nsetp.ne.s32 %p2, %r2, 0;\n@%p2 bra L;\nret;\n");
    return estimate_shape(*m, m->functions[0]).blocks[1].predicated_into;
  };
  CHECK(in_loop("") == -1);
  CHECK(in_loop("fma.rn.f32 %f4, %f4, %f5, %f5;\nfma.rn.f32 %f6, %f6, %f5, %f5;\n") == 0);
}

TEST_CASE("estimate: what an earlier block loaded is waited for by the operation that reads it") {
  // The value passes through a move, which is no instruction of the machine.
  auto m = kernel(
      "ld.global.f32 %f1, [%rd1];\nL: add.f32 %f5, %f5, %f6;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, "
      "%r2;\nbar.sync 0;\n@%p1 bra L;\nmov.f32 %f2, %f1;\nst.shared.f32 [%rd2], %f2;\nret;\n");
  const CodeShape s = estimate_shape(*m, m->functions[0]);
  const auto waits = [](const ShapeOp& op) {
    return std::find(op.sources.begin(), op.sources.end(), ~0) != op.sources.end();
  };
  for (const ShapeOp& op : s.blocks[1].ops) CHECK_FALSE(waits(op));
  const auto& last = s.blocks[2].ops;
  const auto store = std::find_if(last.begin(), last.end(), [](const ShapeOp& op) { return op.store; });
  REQUIRE(store != last.end());
  CHECK(waits(*store));
}

TEST_CASE(
    "estimate: loads from a variable take registers from their first use on, launch bounds limit them") {
  std::string loads, sums;
  for (int i = 0; i < 64; ++i) {
    loads += "ld.shared.f32 %x" + std::to_string(i) + ", [s+" + std::to_string(4 * i) + "];\n";
    sums += "add.f32 %f1, %f1, %x" + std::to_string(i) + ";\n";
  }
  const auto registers = [](const std::string& body, const std::string& bounds) {
    auto m =
        parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n" + bounds +
              "{\n.reg .f32 %x<64>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 s[256];\n" +
              body + "st.global.f32 [%rd2], %f1;\nret;\n}\n");
    return estimate_registers(*m, m->functions[0]);
  };
  CHECK(registers(loads + sums, "") == 16);
  size_t at = 0;
  for (std::string from = "[s+"; (at = loads.find(from, at)) != std::string::npos;)
    loads.replace(at, 3, "[%rd1+");
  CHECK(registers(loads + sums, "") > 64);
  CHECK(registers(loads + sums, ".maxntid 1024, 1, 1\n.minnctapersm 2\n") == 32);
}
