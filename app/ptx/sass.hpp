#pragma once
// Reading a cubin: machine instructions of its functions with control words, and the line of the PTX text
// that each comes from. 64-bit ELF, 16-byte instructions (sm_75 to sm_120).
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/code_shape.hpp"

namespace dojo::ptx {

struct SassInstruction {
  static constexpr uint8_t no_register = 255;  ///< the zero register too
  uint32_t address = 0;                        ///< in its function, bytes
  uint16_t opcode = 0;                         ///< bits 0 to 11: form and class
  uint8_t guard = 7;                           ///< predicate register; 7: always true
  bool guard_negated = false;
  int64_t target = -1;       ///< branches, BSSY, CALL within the function: address; -1: none or unknown
  bool conditional = false;  ///< BRA: by a predicate of lanes or of the whole warp
  bool when_divergent = false,
       when_converged = false;  ///< BRA.DIV, BRA.CONV: taken if the warp is (not) divided
  uint8_t width = 0;            ///< bytes a lane, of a memory access
  uint8_t stall = 0, write_barrier = 7, read_barrier = 7, wait_mask = 0;
  bool yield = false;
  std::array<uint8_t, 3> sources{no_register, no_register,
                                 no_register};  ///< registers it reads through the ports, by operand
  bool pair = false;  ///< the first of them is one of 64 bits: that register and the next
  uint8_t reuse = 0;  ///< bits: operands that stay for the next instruction
  int ptx_line = 0;   ///< line of the PTX text, 0: none
  uint16_t op() const { return opcode & 0x1FF; }
  bool always() const { return guard == 7 && !guard_negated; }
  bool never() const { return guard == 7 && guard_negated; }
};

struct SassFunction {
  std::string name;  ///< mangled
  std::vector<SassInstruction> code;
  bool has_lines = false;
  int registers = 0;  ///< a thread's, by .nv.info; 0 for what lies inside another function
};

struct Cubin {
  int sm = 0;  ///< 90 for sm_90
  std::vector<SassFunction> functions;
  const SassFunction* find(const std::string& name) const;
};

/// Reads a cubin; what is malformed or cut short is left out, so that the result may be empty. Never throws
/// on bytes.
Cubin read_cubin(std::span<const std::byte> elf);

/// Opcode classes (bits 0 to 8) that control flow and memory accounting look at.
namespace sass {
enum : uint16_t {
  mov = 0x002,
  iadd3 = 0x010,
  imad = 0x024,
  imad_wide = 0x025,
  bra = 0x147,
  brx = 0x149,
  jmp = 0x14a,
  call = 0x144,
  call_abs = 0x143,
  ret = 0x150,
  exit = 0x14d,
  bpt = 0x15c,
  kill = 0x15b,
  bssy = 0x145,
  bsync = 0x141,
  break_ = 0x142,
  warpsync = 0x148,
  yield = 0x146,
  nop = 0x118,
  bar = 0x11d,
  nanosleep = 0x15d,
  ldg = 0x181,
  stg = 0x186,
  lds = 0x184,
  sts = 0x188,
  ldl = 0x183,
  stl = 0x187,
  ld = 0x180,
  st = 0x185,
  ldc = 0x182,
  atom = 0x18a,
  atom_cas = 0x18b,
  atoms = 0x18c,
  atoms_cas = 0x18d,
  red = 0x18e,
  atom_float = 0x1a2,  // additions of floating point have opcodes of their own (sm_90)
  atomg_float = 0x1a3,
  red_float = 0x1a6,
  atomg = 0x1a8,
  atomg_cas = 0x1a9,
  ldsm = 0x03b,
  ldgsts = 0x1ae,
  ublkcp = 0x1ba,
  stas = 0x1bd,  // st.async and red.async
  redas = 0x1be,
  syncs = 0x1b2,
  shfl = 0x189,
  membar = 0x192,
  cluster_wait = 0xDC7,  // with its form: UCGABAR_WAIT; the arrival, 0x9C7, goes straight on
  s2r = 0x119,
  s2ur = 0x1c3,
  mufu = 0x108,
  redux = 0x1c4,
};
}  // namespace sass

/// Pipe and memory kind of a machine instruction.
Pipe sass_pipe(const SassInstruction&);
/// Turns of its pipe that it takes: a product of 64 bits, or the upper half of one, two (`chains wide` and
/// `high` of tests/microbench/issue.cu, an H100).
uint8_t sass_turns(const SassInstruction&);
/// Which of its operands are registers that it reads where it is dispatched: 'a', 'b', 'c' (bits 24, 32, 64),
/// 'A' a pair. What tensor cores, doubles and stored values read is left out: how they have their registers
/// was not measured.
std::string_view sass_operands(uint16_t op);
/// Registers that it reads from each of the two banks of the register file, and how many of these the
/// instruction before it kept for it (null: there is none).
RegisterReads sass_reads(const SassInstruction&, const SassInstruction* before);
struct SassAccess {
  bool load = false, store = false, atomic = false;
  Space space = Space::none;
  bool memory() const { return load || store || atomic; }
};
SassAccess sass_access(const SassInstruction&);
/// "LDS", or "op 0x1ff" for one without a name here.
std::string sass_name(const SassInstruction&);

}  // namespace dojo::ptx
