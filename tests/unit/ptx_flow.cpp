// Control flow from PTX: blocks, where lanes meet again, loops; and the stripped text.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/module.hpp"

using namespace dojo::ptx;

namespace {

std::string header = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::shared_ptr<const Module> flow_kernel(const std::string& text) {
  return parse(header + ".visible .entry k()\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n" + text + "}\n");
}

}  // namespace

TEST_CASE("ptx flow: a triangle meets at its end, a loop has its back edge") {
  auto m = flow_kernel("L0: @%p1 bra L1;\n add.u32 %r1, %r1, 1;\nL1: @%p2 bra L0;\n ret;\n");
  auto& b = m->functions[0].blocks;
  REQUIRE(b.size() == 4);
  CHECK(b[0].successors == std::vector<uint32_t>{2, 1});
  CHECK(b[0].ipdom == 2);
  CHECK(b[0].in_loop);
  CHECK(b[2].back_edge);
  CHECK(b[2].ipdom == 3);
  CHECK_FALSE(b[3].in_loop);
  CHECK(b[3].ipdom == -1);
}

TEST_CASE("ptx flow: lanes meet after an if although some leave the kernel or trap inside it") {
  // B0: if (p1) { B1: if (p2) return; B2: if (p3) trap; B4: ... } B5: rest
  auto m = flow_kernel(
      "@%p1 bra REST;\n @%p2 bra OUT;\n @%p3 bra OK;\n trap;\nOK: add.u32 %r1, %r1, 1;\n"
      "REST: add.u32 %r2, %r1, 1;\nOUT: ret;\n");
  auto& b = m->functions[0].blocks;
  REQUIRE(b.size() == 7);
  CHECK(b[0].ipdom == 5);
  CHECK(b[1].ipdom == 2);
  CHECK(b[2].ipdom == 4);
}

TEST_CASE("ptx flow: an endless loop still has meeting points inside") {
  auto m = flow_kernel("L: @%p1 bra M;\n add.u32 %r1, %r1, 1;\nM: bra.uni L;\n");
  auto& b = m->functions[0].blocks;
  CHECK(b[0].ipdom == 2);
  CHECK(b[2].back_edge);
}

TEST_CASE("ptx flow: a body that falls off its end, or jumps there, gets a return") {
  auto m = flow_kernel("@%p1 bra E;\n mov.u32 %r1, 1;\nE:\n");
  auto& f = m->functions[0];
  CHECK(f.code.back().opcode == "ret");
  CHECK(f.code.back().ptx_line == 0);
  CHECK(f.code[0].operands[0].value == 2);
}

TEST_CASE("ptx: stripping keeps kernels and what they reach, and every line in its place") {
  std::string text =
      header +
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".extern .func hostlib();\n"
      ".global .align 4 .u32 used;\n.global .align 4 .u32 plain;\n"
      ".visible .func host()\n{\ncall.uni hostlib;\nret;\n}\n"
      ".global .align 8 .u64 hosttable[1] = {host};\n"
      ".visible .func dev()\n{\nret;\n}\n.visible .func pointed()\n{\nret;\n}\n"
      ".global .align 8 .u64 table[1] = {pointed};\n"
      ".visible .entry k()\n{\n.reg .b64 %rd<3>;\nmov.u64 %rd1, used;\nmov.u64 %rd2, table;\ncall.uni dev;\n"
      "{ .param .b64 p0; .param .b64 p1; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); }\nret;\n}\n";
  auto m = parse(text);
  std::string s = strip_host(*m);
  REQUIRE(s.size() == text.size());
  CHECK(std::count(s.begin(), s.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  CHECK(s.find("host") == std::string::npos);
  for (const char* kept : {"vprintf(", "used;", "plain;", ".func dev", ".func pointed", "table[1]"})
    CHECK(s.find(kept) != std::string::npos);
  CHECK(s.find(".entry") == text.find(".entry"));
  CHECK_NOTHROW(parse(s));
}

TEST_CASE("ptx: shared variables of called functions have one place in every kernel that reaches them") {
  auto m =
      parse(header +
            ".func dev()\n{\n.shared .align 4 .b8 t[128];\n.reg .b64 %rd<2>;\nmov.u64 %rd1, t;\nret;\n}\n"
            ".entry a()\n{\n.shared .align 4 .b8 mine[4];\ncall.uni dev;\nret;\n}\n"
            ".entry b()\n{\n.shared .align 4 .b8 own[8];\nret;\n}\n");
  CHECK(m->find("a")->shared_bytes == 132);
  CHECK(m->find("a")->locals[0].offset == 128);
  CHECK(m->find("b")->shared_bytes == 8);
  CHECK(m->find("b")->locals[0].offset == 0);
}
