#include "ptx/lines/refused_ptx.hpp"

#include <doctest/doctest.h>

#include "host_play.hpp"
#include "ptx/lines/text_places.hpp"

using namespace dojo;

namespace {

/// What is said of a step's kernels that ptxas refuses for sm_90.
Diagnostic refusal(const std::string& source) {
  CompileRequest r;
  r.file = "t.cu";
  r.source = source;
  r.arch = "compute_75";
  const Compiled c = compile(r);
  REQUIRE(c.ok);
  const auto module = ptx::parse(c.ptx, r.file);
  const std::string stripped = ptx::strip_host(*module);
  const Assembled a = assemble(stripped, "sm_90");
  REQUIRE(a.refused);
  return ptx::refused_by_ptxas(a, *module, stripped);
}

/// Why a program is not loaded.
Diagnostic refused_program(const std::string& source) {
  try {
    host_test::Loaded l(source + "int main() { return 0; }\n");
  } catch (const RunStopped& s) {
    CHECK(s.status == Status::compile_error);
    return s.why;
  }
  FAIL("it is loaded");
  return {};
}

}  // namespace

TEST_CASE("refused PTX: an error of ptxas is at the student's line and names the step's architecture") {
  const Diagnostic d = refusal(
      "__global__ void k(float* p) {\n"
      "  float r = p[0];\n"
      "  asm(\"max.NaN.f32 %0, %0, %1;\" : \"+f\"(r) : \"f\"(p[1]));\n"
      "  p[0] = r;\n}\n");
  CHECK(d.kind == FindingKind::compile);
  CHECK(d.where.file == "t.cu");
  CHECK(d.where.line == 3);
  CHECK(d.message ==
        "ptxas: Modifier '.NaN' requires .target sm_80 or higher. This file is compiled for compute_75: use "
        "an instruction that it has.");
}

TEST_CASE("refused PTX: an inlined function's line is the function's own") {
  const Diagnostic d = refusal(
      "__device__ __forceinline__ float larger(float a, float b) {\n"
      "  asm(\"max.NaN.f32 %0, %0, %1;\" : \"+f\"(a) : \"f\"(b));\n"
      "  return a;\n}\n"
      "__global__ void k(float* p) {\n  p[0] = larger(p[0], p[1]);\n}\n");
  CHECK(d.where.line == 2);
}

TEST_CASE("refused PTX: what the parser and ptxas refuse in a program has its line") {
  const Diagnostic few = refused_program(
      "__global__ void k(float* p) {\n  float r;\n"
      "  asm(\"add.f32 %0, %1;\" : \"=f\"(r) : \"f\"(p[1]));\n  p[0] = r;\n}\n");
  CHECK(few.where.line == 3);
  CHECK(few.message == "ptxas: Arguments mismatch for instruction 'add'.");
  const Diagnostic open = refused_program(
      "__global__ void k(float* p) {\n  p[0] = 1;\n"
      "  asm volatile(\"add.f32 %f1 %f2\");\n}\n");
  CHECK(open.where.line == 3);
  CHECK(open.message.find("The PTX of this line can't be read: ") == 0);
  CHECK(open.message.ends_with("Check the text of asm(): each instruction ends with a semicolon."));
}

TEST_CASE("refused PTX: a line without asm() gets no advice on it") {
  ptx::ParseError e(8, "what is missing");
  const std::string before = "\n\n// begin inline asm\nadd.s32 %r1, %r2, %r3;\n// end inline asm\n";
  CHECK(ptx::refused_by_parser(e, before + "\n\n", "t.cu").message.ends_with("with a semicolon."));
  e.ptx_line = 30;
  CHECK(ptx::refused_by_parser(e, before + std::string(40, '\n'), "t.cu")
            .message.ends_with("The compiler wrote it, not your file: please report it to WarpDojo."));
}

TEST_CASE("refused PTX: a device function without a body is named where it is called") {
  const Diagnostic d = refused_program(
      "__device__ float scaled(float);\n"
      "__global__ void k(float* p) {\n  p[0] = scaled(p[1]);\n}\n");
  CHECK(d.where.line == 3);
  CHECK(d.message == "Device code calls scaled, which is not defined in this file. Write its body.");
}

TEST_CASE("refused PTX: a line belongs to the last .loc before it, or to the call it was inlined at") {
  const std::string ptx =
      ".version 8.0\n"                                                // 1
      ".visible .entry k()\n{\n"                                      // 2, 3
      "\t.loc\t1 21 5\n\tadd.s32 %r1, %r2, %r3;\n"                    // 4, 5
      "\t.loc\t2 9 3, function_name $L0, inlined_at 1 21 5\n"         // 6
      "\tadd.s32 %r1, %r2, %r3;\n"                                    // 7
      "\t.loc\t2 7 1, function_name $L1, inlined_at 2 9 3\n"          // 8
      "\tadd.s32 %r1, %r2, %r3;\n}\n"                                 // 9, 10
      ".visible .entry other()\n{\n\tret;\n}\n"                       // 11 to 14
      "\t.file\t1 \"/home/s/t.cu\"\n\t.file\t2 \"/cuda/inner.h\"\n";  // 15, 16
  for (const int line : {4, 5, 6, 7, 8, 9}) {
    CAPTURE(line);
    const SourceLoc at = ptx::place_in_text(ptx, line, "t.cu");
    CHECK(at.line == 21);
    CHECK(at.column == 5);
  }
  CHECK(ptx::place_in_text(ptx, 13, "t.cu").line == 0);
  CHECK(ptx::place_in_text(ptx, 9, "/cuda/inner.h").line == 7);
  CHECK(ptx::place_in_text("", 9, "t.cu").line == 0);
}
