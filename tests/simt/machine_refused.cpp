// What the machine does not run ends the run, and says which instruction, where and what to do instead.
#include "core/error.hpp"
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

/// Runs one statement in a kernel; the diagnostic that it ends with.
Diagnostic stopped_by(const std::string& statement) {
  Rig rig(Rig::FromPtx{
      ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
      ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<4>;\n"
      ".shared .align 128 .b8 room[1024];\n"
      "ld.param.u64 %rd1, [in];\nmov.u32 %r1, 0;\nmov.u64 %rd2, room;\n" +
      statement + "\nret;\n}\n"});
  rig.launch("k", {1, 1, 1}, {128, 1, 1}, 0, rig.blank(1024));
  try {
    rig.run();
  } catch (const RunStopped& s) {
    return s.why;
  }
  return {};
}

}  // namespace

TEST_CASE(
    "refused: warpgroup products, tensor copies, textures and surfaces are named, with what to do instead") {
  struct Case {
    const char *statement, *opcode, *advice;
  };
  const Case cases[] = {
      {"wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned", "mma.sync and wmma are"},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd2, %rd2, 1, 1, 1, 0, 0;",
       "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "mma.sync and wmma are"},
      {"wgmma.commit_group.sync.aligned;", "wgmma.commit_group.sync.aligned", "mma.sync and wmma are"},
      {"wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned", "mma.sync and wmma are"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd2], [%rd1, {%r1, "
       "%r1}], [%rd2];",
       "cp.async.bulk.tensor.2d", "in one dimension"},
      {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%rd2];",
       "cp.async.bulk.tensor.1d", "in one dimension"},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%rd2], 16;",
       "cp.reduce.async.bulk", "not modelled"},
      {"prefetch.tensormap [%rd1];", "prefetch.tensormap", "in one dimension"},
      {"tld4.r.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6, %f6, %f6}];", "tld4.r.cube.v4.f32.f32",
       "this gather"},
      {"txq.width.b32 %r2, [%rd1];", "txq.width.b32", "queries of textures are not modelled"},
      {"suld.p.2d.b32.trap {%r2}, [%rd1, {%r1, %r1}];", "suld.p.2d.b32.trap", "formatted surface accesses"},
      {"sust.p.2d.b32.trap [%rd1, {%r1, %r1}], {%r2};", "sust.p.2d.b32.trap", "formatted surface accesses"},
      {"sured.b.add.2d.u32.trap [%rd1, {%r1, %r1}], %r2;", "sured.b.add.2d.u32.trap",
       "reductions on surfaces are not modelled"},
      {"tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;", "tensormap.replace",
       "in one dimension"},
      {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1}, {%r1, %r1}, "
       "{%f1, %f2, "
       "%f3, %f4}, %r1, 0;",
       "mma.sp.sync", "sparse"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.statement);
    const Diagnostic d = stopped_by(c.statement);
    CHECK(d.kind == FindingKind::unsupported);
    CAPTURE(d.message);
    CHECK(d.message.find(c.opcode) != d.message.npos);
    CHECK(d.message.find(c.advice) != d.message.npos);
  }
}

TEST_CASE("refused: parameters are not read past their ends") {
  for (const char* text :
       {"ld.param.u32 %r2, [in+8];", "ld.param.v2.u64 {%rd1, %rd2}, [in+4];",
        "{ .param .b32 x; st.param.b64 [x], %rd1; }", "{ .param .b32 x; ld.param.b32 %r1, [x+4]; }",
        "{ .param .align 8 .b8 x[16]; ld.param.v2.b64 {%rd1, %rd2}, [x+8]; }",
        "{ .param .b32 x; ld.param.b32 %r1, [x-4]; }"}) {
    CAPTURE(text);
    FindingKind kind = FindingKind::none;
    try {
      kind = stopped_by(text).kind;
    } catch (const Error&) {
      kind = FindingKind::unsupported;
    }
    // A kernel's own read as zero there.
    CHECK((kind == FindingKind::unsupported || std::string(text).find("[in") != std::string::npos));
  }
}
