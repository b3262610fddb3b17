// The second part of the truth table: packed integers, atomics, matrix instructions, conversions and forms
// that the first part leaves out.
#include <fmt/format.h>

#include "instructions.hpp"

namespace dojo::truth {

const std::vector<Op>& later_instructions();

namespace {

using Strings = std::vector<std::string>;

struct Table {
  std::vector<Op> ops;
  void add(std::string text, std::string result, Strings sources, int ulp = 0, Op::Range range = Op::mixed) {
    ops.push_back({std::move(text), std::move(result), std::move(sources), ulp, range});
  }
  void same(const std::string& op, const std::string& type, int n, int ulp = 0) {
    add(op + "." + type, type, Strings(size_t(n), type), ulp);
  }
};

void packed(Table& t) {
  for (const char* type : {"u16x2", "s16x2"}) {
    for (const char* op : {"add", "min", "max"}) t.add(fmt::format("{}.{}", op, type), "b32", {"b32", "b32"});
  }
  for (const char* op : {"min", "max"}) {
    t.add(fmt::format("{}.s16x2.relu", op), "b32", {"b32", "b32"});
    t.add(fmt::format("{}.relu.s32", op), "s32", {"s32", "s32"});
  }
  for (const char* type : {"u16", "s16"})
    t.add(fmt::format("cvt.pack.sat.{}.s32", type), "b32", {"s32", "s32"});
  for (const char* type : {"u8", "s8", "u4", "s4", "u2", "s2"})
    t.add(fmt::format("cvt.pack.sat.{}.s32.b32", type), "b32", {"s32", "s32", "b32"});
  t.add("{ .reg .b32 b, n; and.b32 b, $b, 31; shr.s32 n, $c, 27; fns.b32 $r, $a, b, n; }", "b32",
        {"b32", "b32", "b32"});
  for (const char* mode : {"clamp", "wrap"}) {
    for (const char* type : {"s32", "u32"})
      t.add(fmt::format("szext.{}.{}", mode, type), type, {type, "u32"});
    t.add(fmt::format("bmsk.{}.b32", mode), "b32", {"b32", "b32"});
  }
  for (const char* a : {"u32", "s32"})
    for (const char* n : {"2", "4"}) {
      t.add(fmt::format("vabsdiff{0}.u32.{1}.{1}", n, a), "b32", {a, a, "b32"});
      t.add(fmt::format("vabsdiff{0}.u32.{1}.{1}.add", n, a), "b32", {a, a, "b32"});
    }
  for (const char* join : {"or", "and"})
    for (int table : {0x80, 0x96, 0xE8})
      t.add(fmt::format("{{ .reg .pred p, q; setp.gt.s32 q, $d, 0; lop3.{}.b32 $r|p, $a, $b, $c, {:#x}, q; "
                        "selp.b32 $r, $r, 7, p; }}",
                        join, table),
            "b32", {"b32", "b32", "b32", "b32"});
  for (const char* type : {"s16", "u16", "s64", "u64"}) t.same("sad", type, 3);
  t.add("{ add.cc.u64 $r, $a, $b; addc.u64 $r, $c, 0; }", "u64", {"u64", "u64", "u64"});
  t.add("{ sub.cc.s64 $r, $a, $b; subc.s64 $r, $c, 0; }", "s64", {"s64", "s64", "s64"});
  t.add("{ mad.lo.cc.u64 $r, $a, $b, $c; madc.hi.u64 $r, $a, $b, $c; }", "u64", {"u64", "u64", "u64"});
  t.add("{ mad.hi.cc.s32 $r, $a, $b, $c; madc.lo.cc.s32 $r, $a, $b, $r; addc.u32 $r, $r, 0; }", "s32",
        {"s32", "s32", "s32"});
  t.add("{ .reg .b16 p, q; mov.b32 {p, q}, $a; mov.b32 $r, {q, p}; }", "b32", {"b32"});
  t.add("{ .reg .b16 p<4>; mov.b64 {p0, p1, p2, p3}, $a; mov.b64 $r, {p3, p0, p2, p1}; }", "b64", {"b64"});
  t.add("{ .reg .b32 p, q; mov.b64 {p, q}, $a; mov.b64 $r, {q, p}; }", "b64", {"b64"});
  t.add(
      "{ .reg .b128 x; mov.b128 x, {$a, $b}; st.global.b128 [%i], x; ld.global.b128 x, [%i]; mov.b128 {$r, "
      "$a}, x; xor.b64 $r, $r, $a; }",
      "b64", {"b64", "b64"});
  for (const char* mask : {"eq", "lt", "le", "gt", "ge"})
    t.add(fmt::format("{{ mov.u32 $r, %lanemask_{}; add.u32 $r, $r, $a; }}", mask), "u32", {"u32"});
  t.add("slct.b64.s32", "b64", {"b64", "b64", "s32"});
  t.add("slct.ftz.f32.f32", "f32", {"f32", "f32", "f32"});
  for (const char* join : {"and", "or", "xor"})
    t.add(fmt::format(
              "{{ .reg .pred p, q, s; setp.gt.s32 s, $c, 0; setp.lt.{}.f32 p|q, $a, $b, s; selp.b32 $r, 1, "
              "0, p; @q add.u32 $r, $r, 2; }}",
              join),
          "b32", {"f32", "f32", "s32"});
  for (const char* mode : {"up", "down", "bfly", "idx"})
    t.add(fmt::format(
              "{{ .reg .b32 l, c; .reg .pred p; and.b32 l, $b, 31; mov.u32 c, {}; shfl.sync.{}.b32 $r|p, $a, "
              "l, c, 0xffffffff; selp.b32 $r, $r, 1, p; }}",
              mode[0] == 'u' ? "0x1800" : "0x1807", mode),
          "b32", {"b32", "u32"});
}

void floats(Table& t) {
  for (const char* round : {"rz", "rm", "rp"}) {
    for (const char* op : {"add", "mul", "div"}) t.same(fmt::format("{}.{}.ftz", op, round), "f32", 2);
    for (const char* op : {"rcp", "sqrt"}) t.same(fmt::format("{}.{}.ftz", op, round), "f32", 1);
    t.same(fmt::format("fma.{}.ftz", round), "f32", 3);
    t.same(fmt::format("add.{}.sat", round), "f32", 2);
  }
  t.same("mad.rn", "f32", 3);
  t.same("mad.rn", "f64", 3);
  // 64-bit approximations: the distance is counted in the upper word.
  t.add("{ rcp.approx.ftz.f64 $r, $a; }", "f64", {"f64"}, 1);
  t.add("{ rsqrt.approx.ftz.f64 $r, $a; }", "f64", {"f64"}, 1);
  t.add("{ rsqrt.approx.f64 $r, $a; }", "f64", {"f64"}, 1);
  for (const char* type : {"f16", "f16x2", "bf16", "bf16x2"}) {
    t.same("neg" + std::string(type[0] == 'f' ? ".ftz" : ""), type, 1);
    t.same("abs" + std::string(type[0] == 'f' ? ".ftz" : ""), type, 1);
    if (type[0] == 'f') {
      t.same("mul.rn.sat", type, 2);
      t.same("mul.ftz.sat", type, 2);
      t.same("fma.rn.ftz.sat", type, 3);
      t.same("fma.rn.ftz.relu", type, 3);
      t.same("min.ftz", type, 2);
      t.same("max.ftz.NaN", type, 2);
    }
    t.same("max.NaN.xorsign.abs", type, 2);
  }
  for (const char* cmp : {"eq", "ne", "lt", "gtu", "num"}) {
    t.add(fmt::format(
              "{{ .reg .pred p, q; setp.{}.f16x2 p|q, $a, $b; selp.b32 $r, 1, 0, p; @q add.u32 $r, $r, 2; }}",
              cmp),
          "b32", {"f16x2", "f16x2"});
    t.add(
        fmt::format(
            "{{ .reg .pred p, q; setp.{}.bf16x2 p|q, $a, $b; selp.b32 $r, 1, 0, p; @q add.u32 $r, $r, 2; }}",
            cmp),
        "b32", {"bf16x2", "bf16x2"});
    t.add(fmt::format("set.{}.bf16x2.bf16x2", cmp), "b32", {"bf16x2", "bf16x2"});
    t.add(fmt::format("set.{}.u32.f64", cmp), "u32", {"f64", "f64"});
    t.add(fmt::format("set.{}.ftz.f32.f32", cmp), "f32", {"f32", "f32"});
    t.add(fmt::format("set.{}.u32.f16x2", cmp), "u32", {"f16x2", "f16x2"});
  }
  for (const char* round : {"rn", "rz"}) {
    t.add(fmt::format("cvt.{}.relu.bf16x2.f32", round), "bf16x2", {"f32", "f32"});
    t.add(fmt::format("cvt.{}.relu.tf32.f32", round), "b32", {"f32"});
  }
  for (const char* small : {"e4m3x2", "e5m2x2"}) {
    t.add(fmt::format("cvt.rn.relu.f16x2.{}", small), "f16x2", {"b16"});
    t.add(fmt::format("cvt.rn.satfinite.relu.{}.f16x2", small), "b16", {"f16x2"});
  }
  for (const char* round : {"rn", "rz", "rm", "rp"}) {
    t.add(fmt::format("cvt.{}.bf16.f64", round), "bf16", {"f64"});
    t.add(fmt::format("cvt.{}.sat.f16.f32", round), "f16", {"f32"});
    t.add(fmt::format("cvt.{}.ftz.f16.f32", round), "f16", {"f32"});
    t.add(fmt::format("cvt.{}.bf16.f16", round), "bf16", {"f16"});
    t.add(fmt::format("cvt.{}.f16.bf16", round), "f16", {"bf16"});
    t.add(fmt::format("cvt.{}.f32.u64", round), "f32", {"u64"});
  }
  for (const char* type : {"f16", "bf16"})
    for (const char* round : {"rni", "rzi", "rmi", "rpi"})
      t.add(fmt::format("cvt.{0}.{1}.{1}", round, type), type, {type});
  for (const char* i : {"s32", "u32", "s64", "u64", "s16", "u8"})
    for (const char* f : {"f64", "f16"}) t.add(fmt::format("cvt.rzi.sat.{}.{}", i, f), i, {f});
  t.add("cvt.rni.sat.f32.f32", "f32", {"f32"});
  t.add("cvt.ftz.sat.f32.f32", "f32", {"f32"});
}

// Every thread has a place of its own: the word after the operation, or what the operation returned.
void atomics(Table& t) {
  auto place = [](const std::string& type) {
    return type.ends_with("64") ? "b64" : type.ends_with("x2") || type.ends_with("32") ? "b32" : "b16";
  };
  auto one = [&](const std::string& op, const std::string& type) {
    const std::string b = place(type), noftz = type.find("16") != std::string::npos ? ".noftz" : "";
    t.add(fmt::format("{{ st.global.{0} [%i], $a; atom.global.{1}{2}.{3} $a, [%i], $b; "
                      "ld.volatile.global.{0} $r, [%i]; }}",
                      b, op, noftz, type),
          type, {type, type});
    // Pairs of halves in shared memory: what driver 580 makes of that on an H100 leaves the upper half as it
    // was, against the PTX ISA.
    if (type == "f16x2" || type == "bf16x2") return;
    t.add(
        fmt::format("{{ .shared .align 16 .b8 room[4096]; .reg .b64 p; mov.u32 %x, %tid.x; mov.u64 p, room; "
                    "mad.wide.u32 p, %x, 16, p; st.shared.{0} [p], $a; atom.shared.{1}{2}.{3} $a, [p], $b; "
                    "ld.volatile.shared.{0} $r, "
                    "[p]; }}",
                    b, op, noftz, type),
        type, {type, type});
  };
  for (const char* type : {"s32", "u32", "u64"}) one("add", type);
  for (const char* type : {"s32", "u32", "s64", "u64"})
    for (const char* op : {"min", "max"}) one(op, type);
  for (const char* op : {"inc", "dec"}) one(op, "u32");
  for (const char* type : {"b32", "b64"})
    for (const char* op : {"and", "or", "xor", "exch"}) one(op, type);
  for (const char* type : {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2"}) {
    one("add", type);
    const std::string b = place(type),
                      noftz = std::string(type).find("16") != std::string::npos ? ".noftz" : "";
    t.add(
        fmt::format(
            "{{ st.global.{0} [%i], $a; red.global.add{1}.{2} [%i], $b; ld.volatile.global.{0} $r, [%i]; }}",
            b, noftz, type),
        type, {type, type});
  }
  for (const char* type : {"b32", "b64", "b16"})
    t.add(fmt::format("{{ st.global.{0} [%i], $a; atom.global.cas.{0} $a, [%i], $b, $c; "
                      "ld.volatile.global.{0} $r, [%i]; }}",
                      type),
          type, {type, type, type});
  // Vectors: element k of two.
  for (int k : {0, 1}) {
    const char* first = k ? "$d" : "$c";
    t.add(fmt::format(
              "{{ st.global.v2.f32 [%i], {{$a, $b}}; atom.global.v2.f32.add {{$a, $b}}, [%i], {{$c, $d}}; "
              "ld.global.v2.f32 {{$c, $d}}, [%i]; mov.b32 $r, {}; }}",
              first),
          "f32", {"f32", "f32", "f32", "f32"});
    for (const char* type : {"f16x2", "bf16x2"})
      for (const char* op : {"add", "min", "max"})
        t.add(
            fmt::format("{{ st.global.v2.b32 [%i], {{$a, $b}}; red.global.v2.{0}.{1}.noftz [%i], {{$c, $d}}; "
                        "ld.global.v2.b32 {{$c, $d}}, [%i]; mov.b32 $r, {2}; }}",
                        type, op, first),
            type, {type, type, type, type});
  }
  for (const char* type : {"f16", "bf16"})
    for (const char* op : {"add", "min", "max"})
      t.add(fmt::format("{{ .reg .b16 u<4>; st.global.v4.b16 [%i], {{$a, $b, $c, $d}}; "
                        "atom.global.v4.{0}.{1}.noftz {{u0, u1, u2, u3}}, "
                        "[%i], {{$d, $c, $b, $a}}; ld.global.v4.b16 {{$a, $b, $c, $d}}, [%i]; mov.b32 $r, "
                        "{{$b, $d}}; }}",
                        type, op),
            std::string(type) + "x2", {type, type, type, type});
  t.add(
      "{ st.global.v4.f32 [%i], {$a, $b, $c, $d}; red.global.v4.f32.add [%i], {$d, $c, $b, $a}; "
      "ld.global.v4.f32 {$a, $b, $c, "
      "$d}, [%i]; mov.b32 $r, $c; }",
      "f32", {"f32", "f32", "f32", "f32"});
  t.add(
      "{ .reg .b128 p, q; mov.b128 p, {$a, $b}; mov.b128 q, {$b, $a}; st.global.b128 [%i], p; "
      "atom.global.exch.b128 p, [%i], q; "
      "mov.b128 {$a, $b}, p; ld.global.b64 $r, [%i]; sub.u64 $r, $r, $a; }",
      "u64", {"b64", "b64"});
  t.add(
      "{ .reg .b128 p, q; mov.b128 p, {$a, $b}; mov.b128 q, {$b, $b}; st.global.b128 [%i], p; "
      "atom.global.cas.b128 p, [%i], p, q; "
      "mov.b128 {$a, $b}, p; ld.global.b64 $r, [%i]; sub.u64 $r, $r, $a; }",
      "u64", {"b64", "b64"});
}

std::string names(char from, int n) {
  std::string s = "{";
  for (int i = 0; i < n; ++i) s += std::string(i ? ", $" : "$") + char(from + i);
  return s + "}";
}

struct Mma {
  const char* opcode;  ///< all behind "mma.sync.aligned."
  const char *a, *b, *c;
  int na, nb, nc;
};

void matrices(Table& t) {
  // Rows of 16 bytes, one a thread; a warp reads 8x8 matrices of them.
  const std::string rows =
      "{ .shared .align 16 .b8 room[4096]; .reg .b32 u<4>; .reg .b64 p; mov.u32 %x, %tid.x; mov.u64 p, room; "
      "mad.wide.u32 p, %x, 16, p; ";
  for (const char* trans : {"", ".trans"})
    for (int n : {1, 2, 4})
      for (int k = 0; k < n; ++k) {
        const std::string list = n == 1 ? "{u0}" : n == 2 ? "{u0, u1}" : "{u0, u1, u2, u3}";
        t.add(rows + fmt::format("st.shared.v4.b32 [p], {{$a, $b, $c, $d}}; bar.sync 0; "
                                 "ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [p]; "
                                 "mov.b32 $r, u{}; }}",
                                 n, trans, list, k),
              "b32", {"b32", "b32", "b32", "b32"});
        const std::string values = n == 1 ? "{$a}" : n == 2 ? "{$a, $b}" : "{$a, $b, $c, $d}";
        t.add(rows + fmt::format("st.shared.v4.b32 [p], {{$d, $c, $b, $a}}; bar.sync 0; "
                                 "stmatrix.sync.aligned.m8n8.x{}{}.shared.b16 [p], {}; bar.sync 0; "
                                 "ld.shared.v4.b32 {{u0, u1, u2, u3}}, [p]; mov.b32 $r, u{}; }}",
                                 n, trans, values, k),
              "b32", {"b32", "b32", "b32", "b32"});
      }
  t.add("movmatrix.sync.aligned.m8n8.trans.b16", "b32", {"b32"});

  static const Mma all[] = {
      {"m16n8k8.row.col.f32.f16.f16.f32", "f16x2", "f16x2", "f32", 2, 1, 4},
      {"m16n8k8.row.col.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", 2, 1, 2},
      {"m16n8k16.row.col.f32.f16.f16.f32", "f16x2", "f16x2", "f32", 4, 2, 4},
      {"m16n8k16.row.col.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", 4, 2, 2},
      {"m16n8k8.row.col.f32.bf16.bf16.f32", "bf16x2", "bf16x2", "f32", 2, 1, 4},
      {"m16n8k16.row.col.f32.bf16.bf16.f32", "bf16x2", "bf16x2", "f32", 4, 2, 4},
      {"m16n8k4.row.col.f32.tf32.tf32.f32", "f32", "f32", "f32", 2, 1, 4},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", "f32", "f32", "f32", 4, 2, 4},
      {"m8n8k4.row.col.f64.f64.f64.f64", "f64", "f64", "f64", 1, 1, 2},
      {"m16n8k4.row.col.f64.f64.f64.f64", "f64", "f64", "f64", 2, 1, 4},
      {"m16n8k8.row.col.f64.f64.f64.f64", "f64", "f64", "f64", 4, 2, 4},
      {"m8n8k16.row.col.s32.s8.s8.s32", "b32", "b32", "s32", 1, 1, 2},
      {"m8n8k16.row.col.satfinite.s32.u8.s8.s32", "b32", "b32", "s32", 1, 1, 2},
      {"m16n8k16.row.col.s32.s8.u8.s32", "b32", "b32", "s32", 2, 1, 4},
      {"m16n8k32.row.col.s32.s8.s8.s32", "b32", "b32", "s32", 4, 2, 4},
      {"m16n8k32.row.col.satfinite.s32.u8.u8.s32", "b32", "b32", "s32", 4, 2, 4},
      {"m16n8k32.row.col.f32.e4m3.e4m3.f32", "b32", "b32", "f32", 4, 2, 4},
      {"m16n8k32.row.col.f32.e5m2.e4m3.f32", "b32", "b32", "f32", 4, 2, 4},
      {"m16n8k32.row.col.f32.e5m2.e5m2.f32", "b32", "b32", "f32", 4, 2, 4},
      {"m8n8k4.row.col.f32.f16.f16.f32", "f16x2", "f16x2", "f32", 2, 2, 8},
      {"m8n8k4.col.row.f32.f16.f16.f32", "f16x2", "f16x2", "f32", 2, 2, 8},
      {"m8n8k4.row.row.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", 2, 2, 4},
      {"m8n8k4.col.col.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", 2, 2, 4},
  };
  for (const Mma& m : all) {
    const std::string op = m.opcode, a_type = m.a, c_type = m.c;
    const bool fp8 = op.find("e4m3") != op.npos || op.find("e5m2") != op.npos,
               tf32 = op.find("tf32") != op.npos, exact = c_type[0] == 's';
    const std::string reg = c_type == "f32" ? "f32" : c_type == "f64" ? "f64" : "b32";
    Strings sources(size_t(m.na), m.a);
    sources.insert(sources.end(), size_t(m.nb), m.b);
    const bool shared_c = m.na + m.nb + m.nc > 12;  // two accumulators, each for half of them
    const int nc = shared_c ? 4 : m.nc;
    sources.insert(sources.end(), size_t(nc), m.c);
    std::string before = fmt::format("{{ .reg .{} u<8>; .reg .b32 v<8>; ", reg), a, b, c = "{", d = "{";
    if (fp8 || tf32) {
      // Bits that make no NaN; registers of plain bits.
      a = "{", b = "{";
      for (int i = 0; i < m.na + m.nb; ++i) {
        const char name = char('a' + i);
        const bool e4 = i < m.na ? op.find("f32.e4m3") != op.npos : op.find("e4m3.f32") != op.npos;
        before += tf32 ? fmt::format("mov.b32 v{}, ${}; ", i, name)
                       : fmt::format("and.b32 v{}, ${}, {}; ", i, name, e4 ? "0xEFEFEFEF" : "0xBFBFBFBF");
        (i < m.na ? a : b) += fmt::format("{}v{}", i == 0 || i == m.na ? "" : ", ", i);
      }
      a += "}", b += "}";
    } else {
      a = names('a', m.na);
      b = names(char('a' + m.na), m.nb);
    }
    for (int i = 0; i < m.nc; ++i) {
      c += std::string(i ? ", $" : "$") + char('a' + m.na + m.nb + i % nc);
      d += std::string(i ? ", u" : "u") + std::to_string(i);
    }
    const std::string call = before + "mma.sync.aligned." + op + " " + d + "}, " + a + ", " + b + ", " + c +
                             "}; mov." + (reg == "f64" ? "b64" : "b32") + " $r, u";
    for (int k = 0; k < m.nc; ++k) {
      if (exact || fp8) {
        // 8-bit floats: summed once here, how hardware cuts is not known; units of the last place of the
        // result.
        t.add(call + std::to_string(k) + "; }", c_type, sources, fp8 ? 128 : 0,
              fp8 ? Op::moderate : Op::mixed);
        continue;
      }
      // mma.m8n8k4 is made of other instructions on an H100: bounded. Doubles: which of several NaNs comes
      // out is not compared.
      const bool quads = op.starts_with("m8n8k4") && op.find("f16") != op.npos;
      const int near = !quads ? 0 : c_type == "f32" ? 512 : 1;
      t.add(call + std::to_string(k) + "; } // whole", c_type, sources, 0, Op::whole);
      if (k > 1) continue;
      t.add(call + std::to_string(k) + "; } // moderate", c_type, sources, near, Op::moderate);
      t.add(call + std::to_string(k) + "; } // wide", c_type, sources, near, Op::wide);
      if (k == 0)
        t.add(call + std::to_string(k) + "; } // mixed", c_type, sources, c_type == "f64" ? 1 : near,
              Op::mixed);
    }
  }
}

}  // namespace

const std::vector<Op>& later_instructions() {
  static const std::vector<Op> all = [] {
    Table t;
    packed(t);
    floats(t);
    atomics(t);
    matrices(t);
    return t.ops;
  }();
  return all;
}

}  // namespace dojo::truth
