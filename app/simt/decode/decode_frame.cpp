// The frame of a function: where its registers lie, which of them are read before they are written.
#include <algorithm>
#include <cstring>

#include "simt/decode/decoder.hpp"
#include "simt/decode/liveness.hpp"

namespace dojo::simt {

using ptx::Operand;
using ptx::OperandKind;

void Decoder::layout() {
  // Registers by class, then constants and temporaries behind them as they come.
  slot_of_.resize(fn.registers.size());
  uint32_t at = 0;
  scratch_ = 0;
  at += 2 * slot_bytes(true);  // room for 128 bits
  carry_ = at;
  at += 64;
  for (size_t i = 0; i < fn.registers.size(); ++i) {
    int n = ptx::bits(fn.registers[i].type);
    slot_of_[i] = at;
    at += host ? (n == 128 ? 16 : 8) : n == 1 ? 4 : n == 64 ? 256 : n == 128 ? 512 : 128;
    if (!host && n == 1 && (i + 1 == fn.registers.size() || ptx::bits(fn.registers[i + 1].type) != 1))
      at = (at + 63) & ~63u;
  }
  // Parameters: a kernel's live in the launch's block; all others are bytes of each lane.
  const uint32_t lanes = host ? 1 : 32;
  auto round16 = [](uint64_t n) { return uint32_t((n + 15) & ~uint64_t(15)); };
  at = (at + 63) & ~63u;
  code.zero_at = at;
  uint64_t result_bytes = 0;
  for (const ptx::Variable& v : fn.returns) result_bytes = std::max(result_bytes, v.offset + v.bytes);
  params_at_ = at, params_stride_ = fn.kernel ? 0 : round16(fn.param_bytes), at += params_stride_ * lanes;
  results_at_ = at, results_stride_ = round16(result_bytes), at += results_stride_ * lanes;
  code.zero_bytes = at - code.zero_at;
  call_at_ = at, call_stride_ = round16(fn.call_bytes), at += call_stride_ * lanes;
  if (!fn.kernel)
    for (size_t i = 0; i < fn.params.size(); ++i) code.params.push_back(area(ptx::SymbolKind::param, int(i)));
  for (size_t i = 0; i < fn.returns.size(); ++i)
    code.results.push_back(area(ptx::SymbolKind::result, int(i)));
  code.slots = slot_of_;
  top_ = (at + 63) & ~63u;
}

namespace {
void registers_of(const Operand& o, std::vector<uint32_t>& out) {
  if (o.kind == OperandKind::reg || (o.kind == OperandKind::address && o.base_is_reg))
    out.push_back(uint32_t(o.value));
  for (const Operand& item : o.items) registers_of(item, out);
}
}  // namespace

/// Which registers an instruction reads and writes (guards and partial writes read too).
void reads_and_writes(const ptx::Instruction& i, std::vector<uint32_t>& reads,
                      std::vector<uint32_t>& writes) {
  reads.clear();
  writes.clear();
  if (i.guard >= 0) reads.push_back(uint32_t(i.guard));
  for (size_t k = 0; k < i.operands.size(); ++k)
    registers_of(i.operands[k], k < i.meaning.written ? writes : reads);
}

void Decoder::liveness() {
  const size_t nregs = fn.registers.size(), nblocks = fn.blocks.size();
  reg_read_.assign(nregs, 0);
  std::vector<uint32_t> reads, writes;
  const size_t words = (nregs + 63) / 64;
  std::vector<uint64_t> use(nblocks * words), def(nblocks * words), in(nblocks * words);
  for (size_t b = 0; b < nblocks; ++b)
    for (uint32_t k = fn.blocks[b].first; k <= fn.blocks[b].last && k < fn.code.size(); ++k) {
      reads_and_writes(fn.code[k], reads, writes);
      for (uint32_t r : reads) {
        reg_read_[r] = 1;
        if (!(def[b * words + r / 64] >> (r % 64) & 1)) use[b * words + r / 64] |= uint64_t(1) << (r % 64);
      }
      if (fn.code[k].guard < 0)
        for (uint32_t r : writes) def[b * words + r / 64] |= uint64_t(1) << (r % 64);
    }
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t b = nblocks; b-- > 0;)
      for (size_t w = 0; w < words; ++w) {
        uint64_t out = 0;
        for (uint32_t s : fn.blocks[b].successors) out |= in[s * words + w];
        uint64_t v = use[b * words + w] | (out & ~def[b * words + w]);
        if (v != in[b * words + w]) in[b * words + w] = v, changed = true;
      }
  }
  if (nblocks == 0) return;
  for (size_t r = 0; r < nregs; ++r)
    if (in[r / 64] >> (r % 64) & 1) {
      int n = ptx::bits(fn.registers[r].type);
      (n == 1 ? code.zero1 : n >= 64 ? code.zero64 : code.zero32).push_back(slot_of_[r]);
      if (n == 128) code.zero64.push_back(slot_of_[r] + slot_bytes(true));
    }
}

void Decoder::find_unset() {
  const auto bits_of = [&](uint32_t r) { return ptx::bits(fn.registers[r].type); };
  std::vector<bool> any(fn.registers.size());
  for (uint32_t r = 0; r < fn.registers.size(); ++r) {
    const auto starts_in = [&](const std::vector<uint32_t>& slots) {
      return std::find(slots.begin(), slots.end(), slot_of_[r]) != slots.end();
    };
    if (bits_of(r) == 1 || !(starts_in(code.zero32) || starts_in(code.zero64))) continue;
    any[r] = true;
    code.unset.push_back({slot_of_[r], bits_of(r)});
  }
  if (code.unset.empty()) return;
  std::vector<uint32_t> reads, writes;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& i : fn.code) {
      if (!i.meaning.is({ptx::Op::mov, ptx::Op::selp})) continue;
      reads_and_writes(i, reads, writes);
      if (std::none_of(reads.begin(), reads.end(), [&](uint32_t r) { return any[r]; })) continue;
      for (uint32_t w : writes)
        if (bits_of(w) != 1 && !any[w]) any[w] = true, changed = true;
    }
  }
  may_be_unset_ = std::move(any);
}

namespace {
/// `_Z3maxff`, and in a namespace `_ZN…3maxEff`.
bool is_overload_of(std::string_view mangled, std::string_view length_and_name) {
  const size_t at = mangled.rfind(length_and_name);
  const size_t types = at + length_and_name.size();
  return at == 2 || (at != mangled.npos && types < mangled.size() && mangled[types] == 'E');
}

/// C's functions of numbers (fmaxf, expf), which headers declare without C++ names, and max and min.
bool computes_with_its_arguments(const ptx::Instruction& call) {
  if (call.operands.size() < 2 || call.operands[1].kind != OperandKind::symbol) return false;
  const std::string_view name = call.operands[1].name;
  return name.substr(0, 2) != "_Z" || is_overload_of(name, "3max") || is_overload_of(name, "3min");
}
}  // namespace

/// Whether the instruction stores an argument of such a function: its maximum hides the NaN of an argument
/// without a value, and its code is a header's.
bool Decoder::passes_a_number() const {
  if (!ins->meaning.is({ptx::Op::st}) || ins->meaning.space != ptx::Space::param) return false;
  for (size_t k = ptx_index + 1; k < fn.code.size(); ++k)
    if (fn.code[k].meaning.is({ptx::Op::call})) return computes_with_its_arguments(fn.code[k]);
  return false;
}

/// Copies and stores are no use: behind two branches a compiler moves what only one of them has set, and a
/// structure is stored with members that were never set. Nor is what a library takes: lanes without a value
/// call CUB's reductions of part of a block. Words of 16 bits are not looked at: data have the pattern, too.
void Decoder::check_unset_operands() {
  if (may_be_unset_.empty() || ins->guard >= 0) return;
  const ptx::Meaning& m = ins->meaning;
  if (m.is({ptx::Op::mov, ptx::Op::selp, ptx::Op::st, ptx::Op::shfl, ptx::Op::call}) && !passes_a_number())
    return;
  if (module.places(*ins).empty()) return;  // a library's own variables
  std::vector<uint32_t> reads, writes;
  reads_and_writes(*ins, reads, writes);
  for (uint32_t r : reads)
    if (may_be_unset_[r] && ptx::bits(fn.registers[r].type) >= 32)
      emit(instructions.check_set, 0, slot_of_[r]).width = uint8_t(ptx::bits(fn.registers[r].type) / 8);
}

}  // namespace dojo::simt
