#pragma once
// What the decoder must know of the instructions that the machine has, as data that the ops room fills in:
// the families, the handlers that the decoder places by itself, and how operands that are more than a
// register are computed. So decoding knows of no single instruction.
#include <string>
#include <vector>

#include "ptx/module.hpp"
#include "simt/decode/program.hpp"

namespace dojo::simt {

class Decoder;

/// Classes of types an entry takes.
enum Classes : uint32_t {
  c_none = 1,
  c_pred = 2,
  c_bits = 4,
  c_int = 8,
  c_f32 = 16,
  c_f64 = 32,
  c_half = 64,
  c_any = 0xffff,
};

struct Family {
  const char* base;  ///< first word of the opcode
  uint32_t classes;  ///< of its last type word
  void (*decode)(Decoder&);
};
/// The instructions of one machine.
struct InstructionSet {
  /// The entry of an instruction, or null.
  const Family* (*find)(const ptx::Instruction&) = nullptr;

  // Handlers that belong to no instruction.
  Handler enter_device = nullptr, enter_host = nullptr;  ///< of a basic block
  Handler enter_nothing = nullptr;                       ///< a meeting point inside a block
  Handler run_guarded = nullptr;       ///< runs Code::guarded for the lanes that a predicate lets through
  Handler run_guard_branch = nullptr;  ///< sends the others around the next instruction
  Handler run_end = nullptr;           ///< behind a guarded instruction
  Handler run_fall_off = nullptr;      ///< behind a function's last block
  Handler run_unsupported = nullptr;   ///< ends the run, naming the instruction
  Handler check_set = nullptr;         ///< in front of a use of a register in Code::unset, or of its copy

  // Emit what computes an operand into the slot `dst`.
  void (*special)(Decoder&, const std::string& name, uint32_t dst, ptx::Type) = nullptr;
  void (*local_address)(Decoder&, uint64_t offset, uint32_t dst) = nullptr;
  void (*dynamic_shared)(Decoder&, uint64_t offset, uint32_t dst) = nullptr;
  void (*param_address)(Decoder&, const ptx::Operand&, uint64_t offset, uint32_t dst) = nullptr;
  /// Copies parameter `i` of a function to its variable at `offset` of the function's local memory.
  void (*param_to_stack)(Decoder&, size_t i, uint64_t offset) = nullptr;
  void (*resize)(Decoder&, uint32_t dst, uint32_t src, bool from_wide) = nullptr;
  void (*not_pred)(Decoder&, uint32_t dst, uint32_t src) = nullptr;
};

}  // namespace dojo::simt
