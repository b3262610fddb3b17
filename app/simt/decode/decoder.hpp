#pragma once
// From a parsed function to decoded code. The Decoder walks a function's instructions, asks the instruction
// set which family takes each, and lets that family emit decoded instructions through it.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simt/decode/instruction_set.hpp"
#include "simt/decode/program.hpp"

namespace dojo::simt {

/// Thrown by a decode function that can't take the instruction; it becomes an "unsupported" one.
struct NotInTable {
  std::string why;
};

class Decoder {
 public:
  Decoder(const Program& program, const ptx::Module& module, const ptx::Function& fn, uint32_t index,
          bool host, Code& code);
  void run();

  const Program& program;
  const InstructionSet& instructions;
  const ptx::Module& module;
  const ptx::Function& fn;
  Code& code;
  const uint32_t index;
  const bool host;
  const ptx::Instruction* ins = nullptr;

  // ---- the instruction at hand
  size_t operands() const { return ins->operands.size(); }
  const ptx::Operand& op(size_t i) const;
  /// True when the opcode has this part ("ftz", "sat", "global").
  bool has(std::string_view part) const;
  /// The last type word of the opcode.
  ptx::Type type() const;
  /// The i-th type word.
  ptx::Type type(size_t i) const;
  ptx::Space space() const;

  // ---- operands to slots
  /// Frame offset of a slot holding the operand as `t` (4 bytes a lane up to 32 bits, else 8).
  uint32_t src(const ptx::Operand&, ptx::Type t);
  uint32_t src(size_t i, ptx::Type t) { return src(op(i), t); }
  /// A source that may be narrower or wider than its register; its own slot and width.
  uint32_t src_any(const ptx::Operand&, bool* wide);
  uint32_t dst(const ptx::Operand&, ptx::Type t);
  uint32_t dst(size_t i, ptx::Type t) { return dst(op(i), t); }
  uint32_t pred_src(const ptx::Operand&);
  uint32_t pred_dst(const ptx::Operand&);
  uint32_t constant(uint64_t value, bool wide);
  uint32_t temp(bool wide);
  uint32_t carry() const { return carry_; }  ///< the mask of carry flags
  bool reg_wide(const ptx::Operand&) const;
  ptx::Type reg_type(const ptx::Operand&) const;
  bool dst_unused(const ptx::Operand&) const;
  /// Base slot of an [address] (64- or 32-bit) and its constant offset in `imm`.
  uint32_t address(const ptx::Operand&, bool* wide, uint64_t* imm);
  uint32_t src_narrow(uint32_t wide_slot);
  /// Where a parameter, result or call-site parameter lives in the frame (not a kernel's parameters).
  ParamArea area(const ptx::Operand&) const;
  ParamArea area(ptx::SymbolKind, int target) const;

  // ---- emitting
  Inst& emit(Handlers, uint32_t d = 0, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  Inst& emit(Handler, uint32_t d = 0, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  uint32_t list(std::vector<uint32_t> offsets);
  uint32_t access();
  bool joined();  ///< ptx::joined_in_warp, of the instruction at hand
  [[noreturn]] void refuse(std::string why) const { throw NotInTable{std::move(why)}; }
  void branch_to(size_t inst, uint32_t block) { fixups_.push_back({inst, block, 0}); }
  void meet_at(size_t inst, int block) {
    if (block >= 0) fixups_.push_back({inst, uint32_t(block), 1});
  }
  /// The place of a nearer meeting of a branch: Code::meetings[which].joins.
  void join_at(size_t inst, size_t which, uint32_t block) {
    join_fixups_.push_back({inst, block, int(which)});
  }
  size_t here() const { return code.insts.size(); }
  uint32_t ptx_index = 0, block_index = 0;
  void fix_switch(size_t inst, uint32_t which, size_t entry, uint32_t block) {
    switch_fixups_.push_back({inst, which, entry, block});
  }
  uint32_t slot_bytes(bool wide) const { return host ? 8 : wide ? 256 : 128; }

 private:
  struct Fix {
    size_t inst;
    uint32_t block;
    int what;
  };
  struct SwitchFix {
    size_t inst;
    uint32_t which;
    size_t entry;
    uint32_t block;
  };
  void layout();
  void parameters_to_stack();
  void liveness();
  /// Which registers may hold a variable without a value, by ptx::register index: Code::unset and its copies.
  void find_unset();
  void check_unset_operands();
  bool passes_a_number() const;
  void decode_one();
  std::vector<Fix> fixups_, join_fixups_;
  std::vector<SwitchFix> switch_fixups_;
  std::vector<uint32_t> slot_of_;
  std::vector<bool> uniform_;  ///< ptx::uniform_registers, once something asks
  bool knows_uniform_ = false;
  std::vector<uint8_t> reg_read_;
  std::vector<bool> may_be_unset_;  ///< empty: none
  std::map<std::pair<uint64_t, bool>, uint32_t> consts_;
  uint32_t params_at_ = 0, results_at_ = 0, call_at_ = 0, params_stride_ = 0, results_stride_ = 0,
           call_stride_ = 0;
  uint32_t top_ = 0;
  uint32_t scratch_ = 0, carry_ = 0;
};

}  // namespace dojo::simt
