// Small things that once went wrong: found by fuzzing, by sanitizers and by reading.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {
const std::string head =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
    ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .b128 %q<2>;\n.reg .b64 %rd<8>;\n"
    ".shared .align 128 .b8 room[1024];\n"
    "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmov.u64 %rd2, room;\n";

/// What running these statements finds (unsupported: refused).
std::string found(const std::string& statements, uint32_t threads = 64) {
  Rig rig(Rig::FromPtx{head + statements + "\nret;\n}\n"});
  rig.launch("k", {1, 1, 1}, {threads, 1, 1}, 0, rig.buffer(std::vector<int>(256), "in"));
  std::string text = rig.found();
  return text.substr(0, text.find(':'));
}
}  // namespace

TEST_CASE("edges: registers of a width that an operand can't have are refused") {
  for (const char* s :
       {"ld.global.u32 %r2, [%p1];", "ld.global.u32 %r2, [%q1];", "add.u32 %p1, %r1, %r1;",
        "mov.b32 %p1, %r1;", "alloca.u64 %rd3, %p1;", "st.global.u32 [%p1+4], %r1;",
        "cp.async.ca.shared.global [%rd2], [%rd1], %r1;", "cp.async.ca.shared.global [%rd2], [%rd1], 7;",
        "mbarrier;", "wmma.load;", "cp.async.bulk;"}) {
    CAPTURE(s);
    CHECK(found(s) == "unsupported");
  }
}

TEST_CASE("edges: an address before shared memory is told as one, the least of all too") {
  for (const auto& row : {std::pair{"0xfffffffffffffffc", "element -1 of "},
                          {"0x8000000000000800", "element -2305843009213693440 of "},
                          {"1024", "element 256 of "},
                          {"1022", "4 bytes at "}}) {
    const char *address = row.first, *says = row.second;
    CAPTURE(address);
    Rig rig(Rig::FromPtx{head + "mov.u64 %rd3, " + address +
                         ";\nld.shared.u32 %r2, [%rd3];\nst.global.u32 [%rd1], %r2;\nret;\n}\n"});
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, rig.buffer(std::vector<int>(4), "in"));
    CHECK(rig.found().find("out_of_bounds") == 0);
    CHECK(rig.findings.at(0).message.find(says) != std::string::npos);
  }
}

TEST_CASE("edges: a block that is no cluster uses cluster addresses of its own shared memory") {
  CHECK(
      found(
          "mul.wide.u32 %rd3, %r1, 8;\nadd.u64 %rd2, %rd2, %rd3;\nmov.u32 %r2, 0;\n"
          "mapa.shared::cluster.u64 %rd4, %rd2, %r2;\nst.shared::cluster.u64 [%rd4], %rd3;\n"
          "bar.sync 0;\nld.shared::cluster.u64 %rd5, [%rd4];\natom.shared::cluster.add.u32 %r3, [%rd4], 1;\n"
          "mul.wide.u32 %rd6, %r1, 4;\nadd.u64 %rd1, %rd1, %rd6;\nst.global.u32 [%rd1], %r3;") == "");
  // Races there are found as by plain addresses.
  CHECK(found("mov.u32 %r2, 0;\nmapa.shared::cluster.u64 %rd4, %rd2, %r2;\nst.shared::cluster.u32 [%rd4], "
              "%r1;") == "race");
}

TEST_CASE("edges: lanes that only arrive at a barrier go on where they were") {
  // A divided warp completes a barrier by arriving while two of its parts wait there.
  const char* source = R"(
__global__ void k(int* out) {
  int t = threadIdx.x;
  if (t < 8) asm volatile("barrier.sync 1, 32;");
  else if (t < 16) asm volatile("barrier.sync 1, 32;");
  else asm volatile("barrier.arrive 1, 32;");
  out[t] = t * t;
})";
  Rig rig(source);
  rig.config.control.checks = false;
  const uint64_t out = rig.buffer(std::vector<int>(32), "out");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out);
  rig.run();
  const auto v = rig.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) CHECK(v[size_t(t)] == t * t);
}

TEST_CASE("edges: a bulk copy reaches what a kernel may reach, and no more") {
  const char* source = R"(
__global__ void k(const float* in, float* out) {
  __shared__ alignas(16) float s[64];
  __shared__ unsigned long long arrived;
  if (threadIdx.x == 0) {
    unsigned to = (unsigned)__cvta_generic_to_shared(s), bar = (unsigned)__cvta_generic_to_shared(&arrived);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                 ::"r"(to), "l"(in), "r"(bar));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(to));
  }
})";
  for (bool host : {false, true}) {
    Rig rig(source);
    const uint64_t in = rig.buffer(std::vector<float>(64, 2.5f), "in"), out = rig.blank(256);
    Region* far = rig.memory.allocate(256, Owner::host_heap, "host");
    far->initialized = true;
    rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, host ? far->base : in, out);
    const std::string text = rig.found();
    if (host)
      CHECK(text != "");
    else {
      CHECK(text == "");
      CHECK(rig.read<float>(out, 64) == std::vector<float>(64, 2.5f));
    }
  }
}

TEST_CASE(
    "edges: a kernel that waits for a word of the host is told that its launch ends before the host goes "
    "on") {
  for (const Owner owner : {Owner::pinned, Owner::device}) {
    Rig rig("__global__ void k(volatile int* latch) {\n  while (*latch < 1) {}\n}");
    Region* r = rig.memory.allocate(4, owner, "latch");
    std::memset(r->data, 0, 4);
    r->initialized = true;
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, r->base);
    CHECK(rig.found() == "deadlock:2");
    CHECK((rig.findings[0].message.find("before the host goes on") != std::string::npos) ==
          (owner == Owner::pinned));
  }
}
