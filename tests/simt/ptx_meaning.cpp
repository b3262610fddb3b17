// What an instruction is, typed: the one description that all readers of PTX use.
#include <doctest/doctest.h>

#include "ptx/instructions/meaning.hpp"
#include "ptx/module.hpp"
#include "simt/decode/liveness.hpp"
#include "simt/ops/instruction_set.hpp"
#include "simt/ops/ops.hpp"

namespace dojo::ptx {

namespace {

/// The first instruction of a kernel with these registers.
Instruction first_instruction(const std::string& line) {
  const auto m = parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(\n.param .u64 p\n)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n.reg .b16 %rs<4>;\n" +
          line + "\nret;\n}\n",
      "k.cu");
  return m->functions.at(0).code.at(0);
}

Meaning the_first(const std::string& line) { return first_instruction(line).meaning; }

}  // namespace

TEST_CASE("an instruction's meaning has its space, order, scope, change, type and bytes") {
  const Meaning m = the_first("atom.acq_rel.gpu.shared.add.u32 %r1, [%rd1], %r2;");
  CHECK(m.op == Op::atom);
  CHECK(m.effect == Effect::atomic);
  CHECK(m.space == Space::shared);
  CHECK(m.order == Order::acq_rel);
  CHECK(m.scope == Scope::gpu);
  CHECK(m.change == Change::add);
  CHECK(m.type == Type::u32);
  CHECK(m.width == 4);
  CHECK(m.written == 1);
  CHECK(m.acquires());
  CHECK(m.releases());
  CHECK(m.own_shared());
}

TEST_CASE("forms of one operation differ in what they read and write") {
  const auto effect = [](const char* line) { return the_first(line).effect; };
  CHECK(effect("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];") == Effect::load);
  CHECK(effect("st.global.f32 [%rd1], %f1;") == Effect::store);
  CHECK(effect("red.global.add.u32 [%rd1], %r1;") == Effect::reduction);
  CHECK(effect("cp.async.ca.shared.global [%r1], [%rd1], 16;") == Effect::copy);
  CHECK(effect("cp.async.commit_group;") == Effect::none);
  CHECK(effect("bar.sync 0;") == Effect::none);
  CHECK(effect("bar.red.popc.u32 %r1, 0, %p1;") == Effect::result);
  CHECK(effect("add.s32 %r1, %r2, %r3;") == Effect::result);
  CHECK(effect("sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};") == Effect::store);
  CHECK(effect("nosuch.u32 %r1, %r2;") == Effect::result);
}

TEST_CASE("what an instruction writes is its first operand, or nothing") {
  const auto written = [](const char* line) { return int(the_first(line).written); };
  CHECK(written("mov.u32 %r1, %tid.x;") == 1);
  CHECK(written("setp.lt.s32 %p1|%p2, %r1, %r2;") == 1);
  CHECK(written("st.global.u32 [%rd1], %r1;") == 0);
  CHECK(written("sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};") == 0);
  CHECK(written("nanosleep.u32 %r1;") == 0);
  CHECK(written("mbarrier.arrive.shared.b64 %rd2, [%r1];") == 1);
  CHECK(written("mbarrier.init.shared.b64 [%r1], 1;") == 0);
  CHECK(written("ret;") == 0);
}

TEST_CASE("a surface store reads its coordinates and writes no register") {
  std::vector<uint32_t> reads, writes;
  simt::reads_and_writes(first_instruction("sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};"), reads, writes);
  CHECK(reads.size() == 4);
  CHECK(writes.empty());
}

TEST_CASE("width is what one lane moves between registers and memory") {
  const auto width = [](const char* line) { return int(the_first(line).width); };
  CHECK(width("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];") == 16);
  CHECK(width("ld.global.u8 %rs1, [%rd1];") == 1);
  CHECK(width("cp.async.cg.shared.global [%r1], [%rd1], 8;") == 8);
  CHECK(width("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];") == 16);
  CHECK(width("add.s32 %r1, %r2, %r3;") == 0);
}

TEST_CASE("barriers and fences say how far they reach, and which side they are") {
  CHECK(the_first("bar.sync 0;").barrier());
  CHECK_FALSE(the_first("bar.warp.sync %r1;").barrier());
  CHECK(the_first("bar.arrive 1, 64;").side == Side::arrive);
  const Meaning wait = the_first("barrier.cluster.wait.acquire;");
  CHECK(wait.scope == Scope::cluster);
  CHECK(wait.side == Side::wait);
  CHECK(wait.acquires());
  CHECK(the_first("membar.gl;").scope == Scope::gpu);
  CHECK(the_first("fence.sc.sys;").order == Order::sc);
  CHECK(the_first("ld.mmio.relaxed.sys.global.u32 %r1, [%rd1];").order == Order::relaxed);
}

TEST_CASE("shared memory of the cluster is not the block's own") {
  const Meaning far = the_first("ld.shared::cluster.u32 %r1, [%rd1];");
  CHECK(far.space == Space::shared);
  CHECK_FALSE(far.own_shared());
  CHECK(the_first("ld.shared::cta.u32 %r1, [%rd1];").own_shared());
}

TEST_CASE("every operation has a name of its own, and is found by it") {
  for (size_t k = 1; k <= operations; ++k) {
    CAPTURE(name_of(Op(k)));
    CHECK(operation(name_of(Op(k))) == Op(k));
  }
  CHECK(name_of(Op::and_) == "and");
  CHECK(operation("and_") == Op::other);
}

}  // namespace dojo::ptx

TEST_CASE("the machine runs the instructions of list.def, and no others") {
  using namespace dojo::simt;
  for (size_t k = 1; k <= dojo::ptx::operations; ++k) {
    const auto op = dojo::ptx::Op(k);
    if (!dojo::ptx::words_of(op).data()) continue;
    dojo::ptx::Instruction i;
    bool run = false;
    for (const char* type : {"b32", "u32", "pred", "f32", "f64", "f16x2"}) {
      i.parts = {std::string(dojo::ptx::name_of(op)), type};
      run |= instruction_set().find(i) != nullptr;
    }
    CHECK_MESSAGE(run, dojo::ptx::name_of(op) << " has a row and no Family in simt/ops");
  }
  for (auto families :
       {integer_families(), bit_families(),    stack_families(),   packed_families(),  float_families(),
        approx_families(),  half_families(),   convert_families(), compare_families(), move_families(),
        memory_families(),  atomic_families(), warp_families(),    barrier_families(), control_families(),
        tensor_families(),  async_families(),  fence_families(),   texture_families(), surface_families()})
    for (const Family& f : families)
      CHECK_MESSAGE(dojo::ptx::operation(f.base) != dojo::ptx::Op::other,
                    f.base << " has a Family and no row in ptx/instructions/list.def");
}
