#include "simt/checks/written_regions.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace dojo::simt {

using ptx::Effect;
using ptx::Op;
using ptx::Space;

namespace {

/// What a 64-bit value may be computed from: parameters of the kernel and addresses of variables.
struct Source {
  uint64_t from = 0;  ///< bits of Origins::addresses
  bool any = false;   ///< also from memory, a call, or another lane: it may be anything
};

/// Sources of each register, whatever the order of execution.
class Origins {
 public:
  static constexpr size_t most = 63;
  Origins(const Program& program, const ptx::Function& f, std::span<const std::byte> params)
      : program_(program), f_(f), params_(params), registers_(f.registers.size()) {}

  /// Follows values through registers until nothing is added. False: there are too many sources.
  bool trace() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& i : f_.code) {
        const std::vector<uint64_t> to = wide_results(i);
        if (to.empty()) continue;
        const Source s = source_of(i, to.size());
        if (overflowed_) return false;
        for (uint64_t r : to) changed |= add(registers_[r], s);
      }
    }
    return addresses.size() < most;
  }

  /// Of the address that an operand names; nothing: of fewer than 64 bits.
  std::optional<Source> of_address(const ptx::Operand& a) {
    if (!a.base_is_reg) return Source{symbol(a), false};
    if (!wide(a.value)) return std::nullopt;
    return registers_[a.value];
  }

  std::vector<uint64_t> addresses;  ///< values of parameters, and addresses of variables

 private:
  bool wide(uint64_t r) const { return ptx::bits(f_.registers[r].type) >= 64; }

  std::vector<uint64_t> wide_results(const ptx::Instruction& i) const {
    std::vector<uint64_t> to;
    if (i.operands.size() < 2) return to;
    const auto take = [&](const ptx::Operand& o) {
      if (o.kind == ptx::OperandKind::reg && wide(o.value)) to.push_back(o.value);
    };
    take(i.operands[0]);
    for (const ptx::Operand& o : i.operands[0].items) take(o);
    return to;
  }

  Source source_of(const ptx::Instruction& i, size_t results) {
    const ptx::Meaning& m = i.meaning;
    if (m.op == Op::ld && m.space == Space::param) return of_parameter(i.operands[1], results);
    if (m.is({Op::ld, Op::ldu, Op::atom, Op::call, Op::shfl}) || i.operands[1].kind == ptx::OperandKind::list)
      return {0, true};
    Source s;
    for (size_t k = 1; k < i.operands.size(); ++k) {
      const ptx::Operand& o = i.operands[k];
      if (o.kind == ptx::OperandKind::reg && wide(o.value)) add(s, registers_[o.value]);
      if (o.kind == ptx::OperandKind::symbol) s.from |= symbol(o);
    }
    return s;
  }

  Source of_parameter(const ptx::Operand& a, size_t results) {
    if (a.symbol != ptx::SymbolKind::param || a.kind != ptx::OperandKind::address || a.base_is_reg ||
        results != 1)
      return {0, true};
    const uint64_t at = f_.params[size_t(a.target)].offset + uint64_t(a.offset);
    uint64_t v = 0;
    if (at + 8 <= params_.size()) std::memcpy(&v, params_.data() + at, 8);
    const uint64_t bit = origin(v);
    overflowed_ |= !bit;
    return {bit, false};
  }

  uint64_t symbol(const ptx::Operand& o) {
    auto it = program_.symbols().find(o.name);
    return it == program_.symbols().end() ? 0 : origin(it->second);
  }

  /// The bit of an address; 0: there are too many.
  uint64_t origin(uint64_t address) {
    for (size_t i = 0; i < addresses.size(); ++i)
      if (addresses[i] == address) return uint64_t(1) << i;
    if (addresses.size() == most) return 0;
    addresses.push_back(address);
    return uint64_t(1) << (addresses.size() - 1);
  }

  static bool add(Source& to, const Source& s) {
    const bool more = (s.from & ~to.from) || (s.any && !to.any);
    to.from |= s.from;
    to.any |= s.any;
    return more;
  }

  const Program& program_;
  const ptx::Function& f_;
  std::span<const std::byte> params_;
  std::vector<Source> registers_;
  bool overflowed_ = false;
};

/// Whether an instruction may change memory that is neither of one thread nor of one block.
bool writes_global(const ptx::Meaning& m) {
  // (cp.async writes shared memory.)
  if (!m.stores() && !m.changes() && m.effect != Effect::bulk) return false;
  return m.space != Space::local && m.space != Space::param && m.space != Space::shared;
}

/// A call of a function that may store through its arguments.
bool may_store(const ptx::Instruction& call) {
  return std::any_of(call.operands.begin(), call.operands.end(), [](const ptx::Operand& o) {
    return o.symbol == ptx::SymbolKind::function && o.name != "vprintf" && o.name != "__assertfail" &&
           o.name != "cudaGraphSetConditional";
  });
}

}  // namespace

bool written_regions(AddressSpace& memory, const Program& program, const Grid& grid,
                     std::vector<Region*>* out) {
  if (grid.codes.size() != 1) return false;
  const ptx::Function& f = *grid.code->fn;
  Origins origins(program, f, grid.node->spec.params);
  const bool traced = origins.trace();
  out->clear();
  if (!traced) return false;
  for (const ptx::Instruction& i : f.code) {
    const ptx::Meaning& m = i.meaning;
    if (m.op == Op::call) {
      if (may_store(i)) return false;
      continue;
    }
    if (m.op == Op::sust) return false;  // through a handle
    if (!writes_global(m)) continue;
    const size_t k = m.op == Op::atom ? 1 : 0;
    if (k >= i.operands.size()) continue;
    const ptx::Operand& a = i.operands[k];
    if (a.kind != ptx::OperandKind::address) return false;
    const std::optional<Source> s = origins.of_address(a);
    if (!s || s->any || !s->from) return false;
    for (size_t b = 0; b < origins.addresses.size(); ++b)
      if (s->from >> b & 1)
        if (Region* r = memory.find(origins.addresses[b])) out->push_back(r);
  }
  return true;
}

}  // namespace dojo::simt
