// The PTX parser: names, operands, scopes, initialisers, source lines, and what it refuses.
#include <doctest/doctest.h>

#include <cstring>

#include "core/error.hpp"
#include "ptx/module.hpp"

using namespace dojo;
using namespace dojo::ptx;

namespace {

std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

const Function& only_kernel(const Module& m) {
  for (auto& f : m.functions)
    if (f.kernel) return f;
  FAIL("no kernel");
  return m.functions.front();
}

std::string body(const std::string& text) {
  return kHeader +
         ".visible .entry k(.param .u64 k_param_0)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 "
         "%rd<9>;\n" +
         ".reg .f32 %f<9>;\n" + text + "\nret;\n}\n";
}

}  // namespace

TEST_CASE("ptx: kHeader, kernel attributes and parameter layout are read") {
  auto m =
      parse(kHeader +
            ".visible .entry _Z1kPfid(.param .u64 .ptr .global .align 16 a, .param .u32 b, .param .f64 c,\n"
            ".param .align 4 .b8 d[12])\n.maxntid 128, 2, 1\n.minnctapersm 3\n.reqnctapercluster 2, 1, 1\n{ "
            "ret; }\n");
  CHECK(m->target == "sm_90");
  CHECK(m->version_major == 9);
  auto& f = only_kernel(*m);
  CHECK(f.demangled == "k");
  CHECK(f.max_threads == 256);
  CHECK(f.min_blocks == 3);
  CHECK(f.cluster == Dim3{2, 1, 1});
  REQUIRE(f.params.size() == 4);
  CHECK(f.params[0].align == 8);
  CHECK(f.params[1].offset == 8);
  CHECK(f.params[2].offset == 16);
  CHECK(f.params[3].offset == 24);
  CHECK(f.param_bytes == 36);
}

TEST_CASE("ptx: operands of every kind") {
  auto m = parse(
      body("mov.u32 %r1, %tid.x;\n"
           "shfl.sync.bfly.b32 %r5|%p1, %r1, 16, 31, -1;\n"
           "ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+-16];\n"
           "@!%p1 mov.f32 %f1, 0f3F800000;\n"
           "selp.b32 %r2, 0x10, 0b11, !%p2;\n"
           "mov.f64 %rd2, 0dBFF0000000000000;\n"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r5];\n"
           "ld.param.u64 %rd3, [k_param_0];\n"
           "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];\n"));
  auto& code = only_kernel(*m).code;
  CHECK(code[0].operands[1].kind == OperandKind::special);
  CHECK(code[0].operands[1].name == "%tid.x");
  CHECK(code[1].operands[0].paired);
  CHECK(code[1].operands[0].items[1].kind == OperandKind::reg);
  CHECK(int64_t(code[1].operands[4].value) == -1);
  CHECK(code[2].operands[0].items[2].kind == OperandKind::sink);
  CHECK(code[2].operands[1].offset == -16);
  CHECK(code[2].operands[1].base_is_reg);
  CHECK(code[3].guard >= 0);
  CHECK(code[3].guard_negated);
  CHECK(code[3].operands[1].value == 0x3F800000);
  CHECK(code[3].operands[1].float_bits == 32);
  CHECK(code[4].operands[1].value == 16);
  CHECK(code[4].operands[2].value == 3);
  CHECK(code[4].operands[3].negated);
  CHECK(code[5].operands[1].float_bits == 64);
  CHECK(code[6].parts[2] == "bulk");
  CHECK(code[6].parts[3] == "shared::cluster");
  CHECK(code[7].operands[1].symbol == SymbolKind::param);
  CHECK(code[8].operands[1].items.size() == 2);
}

TEST_CASE("ptx: registers are numbered by first use, the unused take no room") {
  auto m = parse(body("mov.u32 %r7, 1;\nadd.s32 %r19, %r7, %r7;\nmov.u64 %rd8, 0;\n"));
  auto& f = only_kernel(*m);
  REQUIRE(f.registers.size() == 3);
  CHECK(f.registers[0].name == "%r7");
  CHECK(f.registers[2].type == Type::b64);
  CHECK(f.code[1].operands[1].value == 0);
}

TEST_CASE("ptx: braces scope registers, labels and call-site parameters") {
  auto m = parse(kHeader + ".extern .func (.param .b32 r) callee(.param .b64 a, .param .b32 b);\n" +
                 body("{ .reg .pred p; setp.eq.u32 p, %r1, 0; @p bra L; add.u32 %r1, %r1, 1; L: }\n"
                      "{ .reg .pred p; setp.eq.u32 p, %r1, 0; @p bra L; add.u32 %r1, %r1, 2; L: }\n"
                      "{ .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b32 param1; st.param.b32 "
                      "[param1+0], 3;\n"
                      ".param .b32 retval0; call.uni (retval0), callee, (param0, param1); ld.param.b32 %r2, "
                      "[retval0+0]; }\n"
                      "{ .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b32 retval0;\n"
                      "call (retval0), %rd1, (param0), proto; ld.param.b32 %r3, [retval0]; }\n")
                     .substr(kHeader.size()));
  auto& f = only_kernel(*m);
  CHECK(f.registers[size_t(f.code[0].operands[0].value)].name == "p");
  CHECK(f.code[0].operands[0].value != f.code[3].operands[0].value);
  CHECK(f.code[1].operands[0].value == 3);
  CHECK(f.code[4].operands[0].value == 6);
  REQUIRE(f.locals.size() == 5);
  CHECK(f.locals[1].offset == 8);
  CHECK(f.locals[2].offset == 12);
  CHECK(f.locals[3].name == "param0#1");
  CHECK(f.locals[3].offset == 0);
  CHECK(f.call_bytes == 16);
  auto& call = f.code[8];
  REQUIRE(call.operands.size() == 3);
  CHECK(call.operands[0].items[0].target == 2);
  CHECK(call.operands[1].symbol == SymbolKind::function);
  CHECK(call.operands[2].items[1].name == "param1");
  auto& indirect = f.code[11];
  CHECK(indirect.operands[1].kind == OperandKind::reg);
  CHECK(indirect.operands[2].items[0].name == "param0#1");
  CHECK(indirect.operands.size() == 4);
}

TEST_CASE("ptx: brx.idx gets its table's labels") {
  auto m = parse(
      body("$t: .branchtargets $A, $B, $A;\nbrx.idx %r1, $t;\n$A: mov.u32 %r1, 1;\n$B: mov.u32 %r1, 2;\n"));
  auto& f = only_kernel(*m);
  REQUIRE(f.code[0].operands[1].items.size() == 3);
  CHECK(f.code[0].operands[1].items[1].value == 2);
  CHECK(f.blocks[0].successors == std::vector<uint32_t>{1, 2});
}

TEST_CASE("ptx: initialisers become bytes and relocations") {
  auto m = parse(kHeader +
                 ".global .align 4 .u32 n = -7;\n.const .align 4 .f32 c[3] = {0f3F800000, 0f40200000};\n"
                 ".visible .global .align 8 .f64 d = 0d400A000000000000;\n"
                 ".func f();\n"
                 ".global .align 8 .u64 t[2] = {f, generic(c)+8};\n"
                 ".global .align 8 .b8 s[16] = {120, 0, 0, 0, 0, 0, 0, 0, 0xFF(generic(n)), "
                 "0xFF00(generic(n)), 0xFF0000(generic(n)),"
                 "0xFF000000(generic(n)), 0xFF00000000(generic(n)), 0xFF0000000000(generic(n)), "
                 "0xFF000000000000(generic(n)),"
                 "0xFF00000000000000(generic(n))};\n"
                 ".global .attribute(.managed) .align 4 .u32 g;\n.extern .shared .align 16 .b8 dyn[];\n");
  auto& v = m->variables;
  REQUIRE(v.size() == 7);
  int32_t n;
  REQUIRE(v[0].init.size() == 4);
  std::memcpy(&n, v[0].init.data(), 4);
  CHECK(n == -7);
  CHECK(v[1].bytes == 12);
  CHECK(v[1].space == Space::constant);
  double d;
  std::memcpy(&d, v[2].init.data(), 8);
  CHECK(d == 3.25);
  REQUIRE(v[3].relocs.size() == 2);
  CHECK(v[3].relocs[0].symbol == "f");
  CHECK(v[3].relocs[1].at == 8);
  CHECK(v[3].relocs[1].addend == 8);
  CHECK(v[4].init[0] == std::byte(120));
  REQUIRE(v[4].relocs.size() == 1);
  CHECK(v[4].relocs[0].at == 8);
  CHECK(v[5].is_managed);
  CHECK(v[6].is_extern);
  CHECK(v[6].bytes == 0);
}

TEST_CASE("ptx: the line shown is the student's own, through inlining") {
  auto m = parse(kHeader +
                     ".visible .entry k() {\n.reg .b32 %r<4>;\n.loc 1 7 0\nmov.u32 %r1, 1;\n"
                     ".loc 1 9 5\n.loc 2 40 1, function_name $s, inlined_at 1 9 5\n"
                     ".loc 2 50 3, function_name $s+8, inlined_at 2 40 1\nmov.u32 %r2, 1;\nret;\n}\n"
                     ".file 1 \"/home/a/step.cu\"\n.file 2 \"/inc/lib.h\"\n"
                     ".section .debug_str { $s:\n.b8 1,2 }\n",
                 "step.cu");
  auto& f = only_kernel(*m);
  CHECK(f.where == SourceLoc{"/home/a/step.cu", 7, 0});
  CHECK(m->place(f.code[1]) == SourceLoc{"/home/a/step.cu", 9, 5});
  CHECK(m->lines[size_t(f.code[1].line)].file == 2);
  CHECK(m->lines[size_t(f.code[1].line)].line == 50);
}

TEST_CASE("ptx: text that can't be read is refused with its line") {
  auto refused = [](const std::string& text) {
    try {
      parse(text);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(refused(kHeader + "\n.nonsense 4\n").find("PTX line 5") != std::string::npos);
  CHECK(refused(kHeader + ".entry k() { mov.u32 %r1").find("PTX line") != std::string::npos);
  CHECK(refused(body("bra NOWHERE;")).find("NOWHERE") != std::string::npos);
  CHECK(refused(body("@%p77 bra X;")).find("%p77") != std::string::npos);
  CHECK(refused(kHeader + ".global .b8 a[2] = {1,2,3};").find("room") != std::string::npos);
  CHECK(refused(kHeader + ".global .b8 a[0] = {1 ? 2};").find("initial value") != std::string::npos);
}

TEST_CASE("ptx: base names") {
  CHECK(base_name("_Z6reducePKfPfi") == "reduce");
  CHECK(base_name("_ZN2ns1kILi4EEEvPi") == "k<4>");
  CHECK(base_name("main") == "main");
  CHECK(base_name("__nv_static_28__e83f679e_7_more_cu_3cc51e3f__Z2k2Pi") == "k2");
  CHECK(base_name("__nv_static_28__e83f679e_7_more_cu_3cc51e3f_plain") == "plain");
  CHECK(base_name("_Z4growITk6NumberiEvPT_S0_") == "grow<int>");
  CHECK(base_name("__nv_static_99_short") == "__nv_static_99_short");
  CHECK(base_name("_ZN2ns1AIiE3runEv") == "run");
  CHECK(base_name("_Z1kIN2ns1TEEvT_") == "k<ns::T>");
}

TEST_CASE("a function is found by its name at global scope, beside methods, namespaces and overloads") {
  ptx::Module m;
  const auto add = [&](const char* mangled) {
    ptx::Function f;
    f.name = mangled, f.demangled = ptx::base_name(mangled), f.defined = true;
    m.functions.push_back(f);
  };
  add("_ZNK4Pair3addEv");
  add("_ZN6detail3addEff");
  CHECK(m.find_named("add", false).size() == 2);
  add("_Z3addPKfS0_Pfi");
  REQUIRE(m.find_base("add", false));
  CHECK(m.find_base("add", false)->name == "_Z3addPKfS0_Pfi");
  add("_ZL3addff");
  CHECK(m.find_named("add", false).size() == 2);
  CHECK(m.find_base("add", false) == nullptr);
}
