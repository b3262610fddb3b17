#include "ptx/estimate/known_zeros.hpp"

#include <algorithm>
#include <bit>

#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

constexpr uint8_t all = 63;

uint8_t zeros_of(uint64_t value) {
  return value ? uint8_t(std::min(std::countr_zero(value), int(all))) : all;
}

class KnownZeros {
 public:
  KnownZeros(const Module& m, const Function& f) : m_(m), f_(f), zeros_(f.registers.size(), all) {}

  /// From "all bits are zero" down to what every write allows.
  std::vector<uint8_t> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& i : f_.code) {
        const uint8_t z = result(i);
        each_operand_register(i, true, [&](uint32_t r) {
          if (z < zeros_[r]) zeros_[r] = z, changed = true;
        });
      }
    }
    return std::move(zeros_);
  }

 private:
  uint8_t of(const Instruction& i, size_t k) const {
    if (k >= i.operands.size()) return 0;
    const Operand& o = i.operands[k];
    if (o.kind == OperandKind::reg) return zeros_[size_t(o.value)];
    if (o.kind == OperandKind::imm && !o.is_float) return zeros_of(o.value);
    if (o.kind == OperandKind::symbol)
      return std::min(known_zeros_of_symbol(m_, f_, o), zeros_of(uint64_t(o.offset)));
    return 0;
  }

  uint8_t result(const Instruction& i) const {
    const auto has = [&](std::string_view word) {
      return std::find(i.parts.begin(), i.parts.end(), word) != i.parts.end();
    };
    const auto product = [&] { return uint8_t(std::min(of(i, 1) + of(i, 2), int(all))); };
    switch (i.meaning.op) {
      case Op::mov:
      case Op::cvta:
        return of(i, 1);
      case Op::cvt:
        return has("f32") || has("f64") || has("f16") ? uint8_t(0) : of(i, 1);
      case Op::add:
      case Op::sub:
      case Op::or_:
      case Op::xor_:
      case Op::min:
      case Op::max:
      case Op::selp:
        return std::min(of(i, 1), of(i, 2));
      case Op::and_:
        return std::max(of(i, 1), of(i, 2));
      case Op::mul:
        return has("hi") ? uint8_t(0) : product();
      case Op::mad:
        return has("hi") ? uint8_t(0) : std::min(product(), of(i, 3));
      case Op::shl:
        return i.operands.size() > 2 && i.operands[2].kind == OperandKind::imm
                   ? uint8_t(std::min<uint64_t>(of(i, 1) + i.operands[2].value, all))
                   : of(i, 1);
      default:
        return 0;
    }
  }

  const Module& m_;
  const Function& f_;
  std::vector<uint8_t> zeros_;
};

}  // namespace

uint8_t known_zeros_of_symbol(const Module& m, const Function& f, const Operand& o) {
  const std::vector<Variable>* list = o.symbol == SymbolKind::local      ? &f.locals
                                      : o.symbol == SymbolKind::variable ? &m.variables
                                                                         : nullptr;
  if (!list || o.target < 0 || size_t(o.target) >= list->size()) return 0;
  const Variable& v = (*list)[size_t(o.target)];
  // Dynamic shared memory begins behind the static segment, wherever that ends.
  if (v.space == Space::shared && v.bytes) return zeros_of(v.offset);
  return zeros_of(v.align);
}

std::vector<uint8_t> known_zeros(const Module& m, const Function& f) { return KnownZeros(m, f).run(); }

}  // namespace dojo::ptx
