#include "instructions.hpp"

#include <fmt/format.h>

#include <map>

namespace dojo::truth {

const std::vector<Op>& later_instructions();

namespace {

using Strings = std::vector<std::string>;

struct Table {
  std::vector<Op> ops;
  void add(std::string text, std::string result, Strings sources, int ulp = 0) {
    ops.push_back({std::move(text), std::move(result), std::move(sources), ulp});
  }
  /// The same source type n times, result of that type too.
  void same(const std::string& op, const std::string& type, int n, int ulp = 0) {
    add(op + "." + type, type, Strings(size_t(n), type), ulp);
  }
};

void integers(Table& t) {
  for (const char* type : {"s16", "u16", "s32", "u32", "s64", "u64"}) {
    for (const char* op : {"add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"}) t.same(op, type, 2);
    t.same("mad.lo", type, 3);
    t.same("mad.hi", type, 3);
    t.add(fmt::format("shr.{}", type), type, {type, "u32"});
    if (type[0] == 's') {
      t.same("abs", type, 1);
      t.same("neg", type, 1);
    }
  }
  for (const char* type : {"s32", "u32"}) {
    t.add(fmt::format("mul.wide.{}", type), type[0] == 's' ? "s64" : "u64", {type, type});
    t.add(fmt::format("mad.wide.{}", type), type[0] == 's' ? "s64" : "u64",
          {type, type, type[0] == 's' ? "s64" : "u64"});
    for (const char* part : {"lo", "hi"}) {
      t.same(fmt::format("mul24.{}", part), type, 2);
      t.same(fmt::format("mad24.{}", part), type, 3);
    }
    t.same("sad", type, 3);
    t.add(fmt::format("bfind.{}", type), "u32", {type});
    t.add(fmt::format("bfind.shiftamt.{}", type), "u32", {type});
    for (const char* other : {"s32", "u32"}) {
      t.add(fmt::format("dp4a.{}.{}", type, other), "s32", {type, other, "s32"});
      t.add(fmt::format("dp2a.lo.{}.{}", type, other), "s32", {type, other, "s32"});
      t.add(fmt::format("dp2a.hi.{}.{}", type, other), "s32", {type, other, "s32"});
    }
  }
  for (const char* type : {"s16", "u16"})
    t.add(fmt::format("mul.wide.{}", type), type[0] == 's' ? "s32" : "u32", {type, type});
  for (const char* type : {"s64", "u64"}) {
    t.add(fmt::format("bfind.{}", type), "u32", {type});
    t.add(fmt::format("bfe.{}", type), type, {type, "u32", "u32"});
  }
  for (const char* type : {"s32", "u32"}) t.add(fmt::format("bfe.{}", type), type, {type, "u32", "u32"});
  t.same("add.sat", "s32", 2);
  t.same("sub.sat", "s32", 2);
  t.same("mad.hi.sat", "s32", 3);
  for (const char* type : {"b16", "b32", "b64"}) {
    for (const char* op : {"and", "or", "xor"}) t.same(op, type, 2);
    t.same("not", type, 1);
    t.same("cnot", type, 1);
    t.add(fmt::format("shl.{}", type), type, {type, "u32"});
    t.add(fmt::format("shr.{}", type), type, {type, "u32"});
  }
  for (const char* type : {"b32", "b64"}) {
    t.add(fmt::format("popc.{}", type), "u32", {type});
    t.add(fmt::format("clz.{}", type), "u32", {type});
    t.same("brev", type, 1);
    t.add(fmt::format("bfi.{}", type), type, {type, type, "u32", "u32"});
  }
  for (const char* mode : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"})
    t.add(fmt::format("prmt.b32{}", mode), "b32", {"b32", "b32", "b32"});
  for (int table : {0x80, 0x96, 0xE8, 0xFE, 0x1D, 0xCA})
    t.add(fmt::format("lop3.b32 $r, $a, $b, $c, {:#x};", table), "b32", {"b32", "b32", "b32"});
  for (const char* op : {"shf.l.wrap", "shf.r.wrap", "shf.l.clamp", "shf.r.clamp"})
    t.add(fmt::format("{}.b32", op), "b32", {"b32", "b32", "u32"});
  t.add("{ add.cc.u32 $r, $a, $b; addc.u32 $r, $c, 0; }", "u32", {"u32", "u32", "u32"});
  t.add("{ sub.cc.u32 $r, $a, $b; subc.u32 $r, $c, 0; }", "u32", {"u32", "u32", "u32"});
  t.add("{ mad.lo.cc.u32 $r, $a, $b, $c; madc.hi.u32 $r, $a, $b, $c; }", "u32", {"u32", "u32", "u32"});
}

void comparisons(Table& t) {
  for (const char* type : {"s16", "u16", "s32", "u32", "s64", "u64"})
    for (const char* cmp : {"eq", "ne", "lt", "le", "gt", "ge"})
      t.add(fmt::format("setp.{}.{}", cmp, type), "pred", {type, type});
  for (const char* type : {"f16", "bf16", "f32", "f64"})
    for (const char* cmp :
         {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
      t.add(fmt::format("setp.{}.{}", cmp, type), "pred", {type, type});
  for (const char* cmp : {"eq", "lt", "ge", "ltu"}) {
    t.add(fmt::format("setp.{}.ftz.f32", cmp), "pred", {"f32", "f32"});
    t.add(fmt::format("set.{}.u32.f32", cmp), "u32", {"f32", "f32"});
    t.add(fmt::format("set.{}.f32.f32", cmp), "f32", {"f32", "f32"});
    t.add(fmt::format("set.{}.f16.f16", cmp), "f16", {"f16", "f16"});
    t.add(fmt::format("set.{}.f16x2.f16x2", cmp), "b32", {"f16x2", "f16x2"});
  }
  for (const char* cmp : {"eq", "lt", "ge"}) t.add(fmt::format("set.{}.u32.s32", cmp), "u32", {"s32", "s32"});
  t.add("{ .reg .pred p; setp.lt.s32 p, $a, 0; selp.b32 $r, $b, $c, p; }", "b32", {"s32", "b32", "b32"});
  t.add("slct.b32.s32", "b32", {"b32", "b32", "s32"});
  t.add("slct.f32.f32", "f32", {"f32", "f32", "f32"});
  for (const char* what : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
    t.add(fmt::format("testp.{}.f32", what), "pred", {"f32"});
    t.add(fmt::format("testp.{}.f64", what), "pred", {"f64"});
  }
}

void floats(Table& t) {
  for (const char* round : {"rn", "rz", "rm", "rp"})
    for (const char* type : {"f32", "f64"}) {
      for (const char* op : {"add", "sub", "mul"}) t.same(fmt::format("{}.{}", op, round), type, 2);
      t.same(fmt::format("fma.{}", round), type, 3);
      t.same(fmt::format("div.{}", round), type, 2);
      t.same(fmt::format("rcp.{}", round), type, 1);
      t.same(fmt::format("sqrt.{}", round), type, 1);
    }
  for (const char* op : {"add.rn.ftz", "sub.rn.ftz", "mul.rn.ftz", "add.rn.sat", "mul.rn.sat",
                         "mul.rn.ftz.sat", "add.rz.ftz", "div.rn.ftz"})
    t.same(op, "f32", 2);
  for (const char* op : {"fma.rn.ftz", "fma.rn.sat", "fma.rn.ftz.sat", "fma.rz.ftz"}) t.same(op, "f32", 3);
  for (const char* op : {"rcp.rn.ftz", "sqrt.rn.ftz"}) t.same(op, "f32", 1);
  for (const char* op : {"min", "max"}) {
    for (const char* variant : {"", ".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"})
      t.same(fmt::format("{}{}", op, variant), "f32", 2);
    t.same(op, "f64", 2);
  }
  for (const char* type : {"f32", "f64"}) {
    t.same("abs", type, 1);
    t.same("neg", type, 1);
    t.same("copysign", type, 2);
  }
  t.same("abs.ftz", "f32", 1);
  t.same("neg.ftz", "f32", 1);
  // Approximate functions: the bound is what the machine promises, in units of the last place.
  for (const char* ftz : {"", ".ftz"}) {
    t.same(fmt::format("ex2.approx{}", ftz), "f32", 1, 2);
    t.same(fmt::format("lg2.approx{}", ftz), "f32", 1, 4);
    t.same(fmt::format("rcp.approx{}", ftz), "f32", 1, 1);
    t.same(fmt::format("rsqrt.approx{}", ftz), "f32", 1, 2);
    t.same(fmt::format("sqrt.approx{}", ftz), "f32", 1, 3);
    t.same(fmt::format("div.approx{}", ftz), "f32", 2, 2);
    t.same(fmt::format("div.full{}", ftz), "f32", 2, 2);
  }
}

void halves(Table& t) {
  for (const char* type : {"f16", "f16x2", "bf16", "bf16x2"}) {
    const bool half = type[0] == 'f';
    const std::string in = type;
    for (const char* op : {"add", "sub", "mul"}) {
      t.same(fmt::format("{}.rn", op), in, 2);
      if (half) {
        t.same(fmt::format("{}.ftz", op), in, 2);
        t.same(fmt::format("{}.sat", op), in, 2);
      }
    }
    t.same("fma.rn", in, 3);
    t.same("fma.rn.relu", in, 3);
    if (half) {
      t.same("fma.rn.ftz", in, 3);
      t.same("fma.rn.sat", in, 3);
    }
    for (const char* op : {"min", "max"}) {
      t.same(op, in, 2);
      t.same(fmt::format("{}.NaN", op), in, 2);
      t.same(fmt::format("{}.xorsign.abs", op), in, 2);
    }
    t.same("abs", in, 1);
    t.same("neg", in, 1);
    t.same("ex2.approx" + std::string(half ? "" : ".ftz"), in, 1, 1);
    t.same("tanh.approx", in, 1, 1);
  }
}

void conversions(Table& t) {
  const Strings ints = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"},
                floats = {"f16", "bf16", "f32", "f64"};
  for (const auto& to : ints)
    for (const auto& from : ints)
      if (to != from) {
        t.add(fmt::format("cvt.{}.{}", to, from), to, {from});
        // PTX refuses .sat where every value of the source fits.
        const int wide_to = std::stoi(to.substr(1)), wide_from = std::stoi(from.substr(1));
        const bool fits = to[0] == from[0] ? wide_to >= wide_from : to[0] == 's' && wide_to > wide_from;
        if (!fits) t.add(fmt::format("cvt.sat.{}.{}", to, from), to, {from});
      }
  for (const auto& f : floats)
    for (const auto& i : ints) {
      if (f == "bf16" && i.size() == 2) continue;
      for (const char* round : {"rn", "rz", "rm", "rp"})
        t.add(fmt::format("cvt.{}.{}.{}", round, f, i), f, {i});
      for (const char* round : {"rni", "rzi", "rmi", "rpi"})
        t.add(fmt::format("cvt.{}.{}.{}", round, i, f), i, {f});
      if (f == "f32") t.add(fmt::format("cvt.rzi.ftz.sat.{}.f32", i), i, {f});
    }
  for (const char* round : {"rn", "rz", "rm", "rp"}) {
    t.add(fmt::format("cvt.{}.f32.f64", round), "f32", {"f64"});
    t.add(fmt::format("cvt.{}.f16.f64", round), "f16", {"f64"});
    t.add(fmt::format("cvt.{}.f16.f32", round), "f16", {"f32"});
  }
  for (const char* round : {"rn", "rz"}) {
    t.add(fmt::format("cvt.{}.bf16.f32", round), "bf16", {"f32"});
    t.add(fmt::format("cvt.{}.relu.bf16.f32", round), "bf16", {"f32"});
    t.add(fmt::format("cvt.{}.relu.f16.f32", round), "f16", {"f32"});
    t.add(fmt::format("cvt.{}.f16x2.f32", round), "f16x2", {"f32", "f32"});
    t.add(fmt::format("cvt.{}.bf16x2.f32", round), "bf16x2", {"f32", "f32"});
    t.add(fmt::format("cvt.{}.relu.f16x2.f32", round), "f16x2", {"f32", "f32"});
    t.add(fmt::format("cvt.{}.tf32.f32", round), "b32", {"f32"});
  }
  t.add("cvt.rna.tf32.f32", "b32", {"f32"});
  t.add("cvt.rn.sat.f32.f64", "f32", {"f64"});
  t.add("cvt.rn.ftz.f32.f64", "f32", {"f64"});
  t.add("cvt.f64.f32", "f64", {"f32"});
  t.add("cvt.f64.f16", "f64", {"f16"});
  t.add("cvt.f32.f16", "f32", {"f16"});
  t.add("cvt.f32.bf16", "f32", {"bf16"});
  t.add("cvt.f64.bf16", "f64", {"bf16"});
  t.add("cvt.rn.f16.bf16", "f16", {"bf16"});
  t.add("cvt.rn.bf16.f16", "bf16", {"f16"});
  t.add("cvt.sat.f32.f32", "f32", {"f32"});
  t.add("cvt.ftz.f32.f16", "f32", {"f16"});
  for (const char* round : {"rni", "rzi", "rmi", "rpi"})
    for (const char* type : {"f16", "f32", "f64"})
      t.add(fmt::format("cvt.{0}.{1}.{1}", round, type), type, {type});
  for (const char* small : {"e4m3x2", "e5m2x2"}) {
    t.add(fmt::format("cvt.rn.satfinite.{}.f32", small), "b16", {"f32", "f32"});
    t.add(fmt::format("cvt.rn.satfinite.relu.{}.f32", small), "b16", {"f32", "f32"});
    t.add(fmt::format("cvt.rn.satfinite.{}.f16x2", small), "b16", {"f16x2"});
    t.add(fmt::format("cvt.rn.f16x2.{}", small), "f16x2", {"b16"});
  }
}

// One warp exchanges values: the whole warp takes part, sources are per lane.
void warps(Table& t) {
  for (const char* mode : {"up", "down", "bfly", "idx"})
    t.add(fmt::format("{{ .reg .b32 l; and.b32 l, $b, 31; shfl.sync.{}.b32 $r, $a, l, {}, 0xffffffff; }}",
                      mode, mode[0] == 'u' ? "0" : "0x1f"),
          "b32", {"b32", "u32"});
  t.add(
      "{ .reg .b32 l; .reg .pred p; and.b32 l, $b, 7; shfl.sync.down.b32 $r|p, $a, l, 0x181f, 0xffffffff; "
      "selp.b32 $r, 1, $r, p; }",
      "b32", {"b32", "u32"});
  for (const char* mode : {"all", "any", "uni"})
    t.add(fmt::format("{{ .reg .pred p; setp.gt.s32 p, $a, 0; vote.sync.{}.pred p, p, 0xffffffff; selp.b32 "
                      "$r, 1, 0, p; }}",
                      mode),
          "b32", {"s32"});
  t.add("{ .reg .pred p; setp.gt.s32 p, $a, 0; vote.sync.ballot.b32 $r, p, 0xffffffff; }", "b32", {"s32"});
  t.add("{ .reg .b32 l; and.b32 l, $a, 3; match.any.sync.b32 $r, l, 0xffffffff; }", "b32", {"b32"});
  t.add("{ .reg .b64 l; and.b64 l, $a, 3; match.any.sync.b64 $r, l, 0xffffffff; }", "b32", {"b64"});
  t.add(
      "{ .reg .b32 l; .reg .pred p; and.b32 l, $a, 0; match.all.sync.b32 $r|p, l, 0xffffffff; selp.b32 $r, "
      "$r, 7, p; }",
      "b32", {"b32"});
  for (const char* op :
       {"add.s32", "min.s32", "max.s32", "add.u32", "min.u32", "max.u32", "and.b32", "or.b32", "xor.b32"})
    t.add(fmt::format("redux.sync.{} $r, $a, 0xffffffff;", op), "b32", {"b32"});
  t.add("activemask.b32 $r;", "b32", {"b32"});
}

}  // namespace

const std::vector<Op>& instructions(int set) {
  if (set == 2) return later_instructions();
  static const std::vector<Op> all = [] {
    Table t;
    integers(t);
    comparisons(t);
    floats(t);
    halves(t);
    conversions(t);
    warps(t);
    // sin, cos, tanh: absolute error matters near their zeros, so their inputs stay small (see inputs_of).
    for (const char* op : {"sin.approx", "cos.approx", "tanh.approx"}) t.same(op, "f32", 1, 1 << 14);
    return t.ops;
  }();
  return all;
}

}  // namespace dojo::truth
