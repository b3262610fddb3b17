// The estimated shape: which branches are predicated, and what visits become in executed instructions.
#include <doctest/doctest.h>

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
  auto m = kernel("L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\nret;\n");
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
