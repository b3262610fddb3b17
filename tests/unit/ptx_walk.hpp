#pragma once
// A few lines of SIMT: walks the warps of one block through PTX whose control flow depends on thread numbers
// and parameters only, and counts visits. Memory reads as zero. Independent of the machine in app/simt.
#include <bit>
#include <vector>

#include "ptx/executed.hpp"

namespace dojo::ptx {

class Walk {
 public:
  Walk(const Function& f, uint32_t threads, std::vector<uint64_t> params, uint32_t blocks = 1,
       uint32_t block = 0)
      : visited(f.code.size()),
        f_(f),
        threads_(threads),
        blocks_(blocks),
        block_(block),
        params_(std::move(params)) {
    for (uint32_t w = 0; w * 32 < threads; ++w) {
      warp_ = w;
      registers_.assign(f.registers.size(), std::vector<uint64_t>(32, 0));
      uint32_t lanes = std::min(32u, threads - w * 32);
      run(0, lanes == 32 ? ~0u : (1u << lanes) - 1, -1);
    }
  }
  std::vector<Visited> visited;

 private:
  static constexpr uint64_t low = 0xFFFFFFFF;

  /// Runs lanes from a block until they stand before `stop`; returns those that got there.
  uint32_t run(int b, uint32_t mask, int stop) {
    while (b != stop && mask) {
      auto& block = f_.blocks[size_t(b)];
      int next = -1;
      for (uint32_t i = block.first; i <= block.last; ++i) {
        const Instruction& inst = f_.code[i];
        const std::string& op = inst.parts[0];
        uint32_t on = inst.guard < 0 ? mask : 0;
        for (uint32_t l = 0; l < 32 && inst.guard >= 0; ++l)
          if ((mask >> l & 1) && bool(registers_[size_t(inst.guard)][l]) != inst.guard_negated) on |= 1u << l;
        visited[i].executed += 1;
        visited[i].lanes += uint64_t(std::popcount(op == "bra" ? mask : on));
        if (op == "ret" || op == "exit") {
          mask &= ~on;
          if (!mask) return 0;
        } else if (op == "bra") {
          int taken = int(f_.block_of[inst.operands[0].value]), fall = b + 1;
          if (on == mask || on == 0) {
            next = on ? taken : fall;
            continue;
          }
          ++visited[i].divergent;
          uint32_t a = run(taken, on, block.ipdom), c = run(fall, mask & ~on, block.ipdom);
          mask = a | c;
          next = block.ipdom;
        } else {
          for (uint32_t l = 0; l < 32; ++l)
            if (on >> l & 1) execute(inst, l);
        }
      }
      bool jumps = f_.code[block.last].parts[0] == "bra";
      b = jumps ? next : b + 1;
      if (b < 0) return 0;
    }
    return mask;
  }

  uint64_t value(const Operand& o, uint32_t lane) const {
    if (o.kind == OperandKind::reg) return registers_[size_t(o.value)][lane] ^ (o.negated ? 1 : 0);
    if (o.kind == OperandKind::imm) return o.value;
    if (o.kind == OperandKind::address && o.symbol == SymbolKind::param) return params_[size_t(o.target)];
    if (o.name == "%tid.x") return warp_ * 32 + lane;
    if (o.name == "%ntid.x") return threads_;
    if (o.name == "%nctaid.x") return blocks_;
    if (o.name == "%ctaid.x") return block_;
    if (o.name == "%laneid") return lane;
    return 0;
  }

  void execute(const Instruction& i, uint32_t lane) {
    if (i.operands.empty() || i.operands[0].kind != OperandKind::reg) return;
    auto& d = registers_[size_t(i.operands[0].value)][lane];
    auto in = [&](size_t k) { return k < i.operands.size() ? value(i.operands[k], lane) : 0; };
    const std::string &op = i.parts[0], &type = i.parts.back();
    bool wide = type.find("64") != std::string::npos, is_signed = type[0] == 's';
    auto cut = [&](uint64_t x) { return wide ? x : x & low; };
    auto as_signed = [&](uint64_t x) { return wide ? int64_t(x) : int64_t(int32_t(x)); };
    uint64_t a = in(1), b = in(2);
    if (op == "mov" || op == "cvta")
      d = a;
    else if (op == "ld")
      d = i.parts[1] == "param" ? cut(a) : 0;
    else if (op == "cvt")
      d = type == "s32" ? uint64_t(int64_t(int32_t(a))) : cut(a);
    else if (op == "add")
      d = cut(a + b);
    else if (op == "sub")
      d = cut(a - b);
    else if (op == "mul" && i.parts[1] == "wide")
      d = is_signed ? uint64_t(int64_t(int32_t(a)) * int64_t(int32_t(b))) : (a & low) * (b & low);
    else if (op == "mul" && i.parts[1] == "hi")
      d = ((is_signed ? uint64_t(int64_t(int32_t(a)) * int64_t(int32_t(b))) : (a & low) * (b & low)) >> 32) &
          low;
    else if (op == "mul")
      d = cut(a * b);
    else if (op == "mad")
      d = cut(a * b + in(3));
    else if (op == "shl")
      d = b > 63 ? 0 : cut(a << b);
    else if (op == "shr")
      d = b > 63 ? 0 : cut(is_signed ? uint64_t(as_signed(a) >> b) : cut(a) >> b);
    else if (op == "and")
      d = a & b;
    else if (op == "or")
      d = a | b;
    else if (op == "xor")
      d = a ^ b;
    else if (op == "not")
      d = type == "pred" ? !a : cut(~a);
    else if (op == "rem")
      d = b == 0 ? 0 : is_signed ? cut(uint64_t(as_signed(a) % as_signed(b))) : cut(a) % cut(b);
    else if (op == "div")
      d = b == 0 ? 0 : is_signed ? cut(uint64_t(as_signed(a) / as_signed(b))) : cut(a) / cut(b);
    else if (op == "min" || op == "max") {
      bool less = is_signed ? as_signed(a) < as_signed(b) : a < b;
      d = less == (op == "min") ? a : b;
    } else if (op == "selp")
      d = in(3) ? a : b;
    else if (op == "setp") {
      const std::string& c = i.parts[1];
      if (type[0] == 'f') {
        d = 0;
        return;
      }
      int64_t x = as_signed(a), y = as_signed(b);
      bool less = is_signed ? x < y : cut(a) < cut(b), equal = cut(a) == cut(b);
      d = c == "eq"   ? equal
          : c == "ne" ? !equal
          : c == "lt" ? less
          : c == "le" ? less || equal
          : c == "gt" ? !less && !equal
                      : !less;
    } else {
      d = 0;
    }
  }

  const Function& f_;
  uint32_t threads_, blocks_, block_, warp_ = 0;
  std::vector<uint64_t> params_;
  std::vector<std::vector<uint64_t>> registers_;
};

}  // namespace dojo::ptx
