// A basic block of very many instructions: handlers that go on by themselves must not use up the stack.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

TEST_CASE("machine: a basic block of 240000 instructions runs within the stack") {
  std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<8>;
.reg .f32 %f<4>;
.reg .b64 %rd<8>;
.reg .pred %p<3>;
.shared .align 16 .b8 room[128];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
mov.u64 %rd3, room;
add.s64 %rd3, %rd3, %rd2;
mov.f32 %f1, 0f00000000;
mov.f32 %f2, 0f3F800000;
mov.u32 %r2, 0;
mov.u32 %r7, 1;
)";
  // %r2 counts rounds, %f1 too.
  for (int i = 0; i < 20000; ++i)
    text +=
        "fma.rn.f32 %f1, %f2, %f2, %f1;\nadd.s32 %r2, %r2, %r7;\nst.shared.u32 [%rd3], %r2;\nld.shared.u32 "
        "%r3, "
        "[%rd3];\nshl.b32 %r4, %r3, 1;\nsetp.gt.s32 %p1, %r4, %r3;\nselp.b32 %r5, %r3, %r2, %p1;\nprmt.b32 "
        "%r5, %r5, "
        "%r5, 12816;\nlop3.b32 %r6, %r5, %r4, %r3, 150;\n@%p1 add.s32 %r6, %r6, 1;\nadd.f16x2 %r6, %r6, "
        "%r6;\nst.global.u32 [%rd1], %r5;\n";
  text += "cvt.rzi.s32.f32 %r4, %f1;\nadd.s32 %r5, %r2, %r4;\nst.global.u32 [%rd1], %r5;\nret;\n}\n";
  Rig rig(Rig::FromPtx{std::move(text)});
  const uint64_t out = rig.blank(32 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  for (int v : rig.read<int>(out, 32)) CHECK(v == 40000);
}
