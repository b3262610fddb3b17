#pragma once
// A PTX module decoded for execution: fixed-size instructions that name their handlers, registers renumbered
// to byte offsets in a frame, branch targets and reconvergence points resolved.
//
// The room takes a parsed module and an instruction set (instruction_set.hpp) and gives a Program. It knows
// neither what an instruction does nor the state that it changes: a handler is an address to it.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/report.hpp"
#include "ptx/module.hpp"

namespace dojo::simt {

struct Exec;
struct Inst;
struct InstructionSet;

/// Where module variables live, by PTX name. Functions have code addresses made by the program itself.
using SymbolTable = std::map<std::string, uint64_t>;

/// Executes one instruction; returns the next one, or null when the split that ran can't go on now.
using Handler = const Inst* (*)(const Inst*, Exec&);

/// The handlers of one operation: all live lanes active, some lanes active, one lane (host code).
struct Handlers {
  Handler full = nullptr, partial = nullptr, single = nullptr;
};

enum class Kind : uint8_t { plain, memory, control, sync };

/// One decoded instruction. d, a, b, c are byte offsets into the frame.
struct Inst {
  Handler fn[2] = {nullptr, nullptr};  ///< [0]: all live lanes active, [1]: some
  uint32_t d = 0, a = 0, b = 0, c = 0;
  uint64_t imm = 0;
  uint32_t ptx = 0;        ///< PTX instruction index in its function
  int32_t target = 0;      ///< branches: relative to this instruction; others: index of side data
  int32_t reconverge = 0;  ///< divergent branches: relative; 0: at the function's exit
  uint32_t access = 0;     ///< memory: index of its counters, program-wide
  uint8_t width = 0;       ///< memory: bytes of one element
  uint8_t count = 1;       ///< memory: elements of the vector
  uint8_t flags = 0;
  ptx::Space space = ptx::Space::none;
  ptx::Type type = ptx::Type::none;
  uint8_t sub = 0;   ///< operation within a family
  uint8_t wide = 0;  ///< memory: bit 0 address register is 64 bits, bit 1 data registers are 64 bits
  Kind kind = Kind::plain;
};

namespace flag {
/// `acquire`: at a scope beyond the block, so that the SM's L1 is emptied. `past_l1`: of a load, cached in
/// the L2 only (.cg, .cv); `unused`: of an atomic, its result.
inline constexpr uint8_t negated = 1, strong = 2, volatile_ = 4, acquire = 8, release = 16, unused = 32,
                         past_l1 = 32, nc = 64, sign = 128;
}  // namespace flag

/// Where a frame keeps a .param variable (of a call site or of the function itself).
struct ParamArea {
  uint32_t offset = 0, stride = 0;  ///< lane l's bytes start at frame + offset + l * stride
  uint32_t bytes = 0;
};

struct CallSite {
  int function = -1;  ///< index into Module::functions, -1: through a register (Inst::a)
  std::vector<ParamArea> args;
  std::vector<ParamArea> results;
};

/// What a branch does beside parting lanes (ptx/flow/meetings.hpp). Its index is the branch's Inst::imm.
struct NearerMeetings {
  std::vector<uint32_t> given_up[2];  ///< blocks, by edge: lanes that jump, lanes that fall through
  int32_t joins = 0;                  ///< the body where lanes wait for the next condition, relative; 0: none
};

/// One function decoded for 32 lanes (device) or one (host).
struct Code {
  const ptx::Function* fn = nullptr;
  uint32_t index = 0;  ///< into Module::functions
  bool host = false;
  std::vector<Inst> insts;
  std::vector<uint32_t> block_start;  ///< PTX block -> instruction that enters it
  uint32_t first_block = 0;           ///< its blocks' counters, program-wide
  uint32_t frame_bytes = 0;
  struct Const {
    uint32_t offset;
    uint64_t value;
    bool wide;
  };
  std::vector<Const> consts;
  std::vector<uint32_t> zero32, zero64, zero1;  ///< slots read before written: zeroed with each frame
  /// Of these, in device code compiled as written: variables that have no value yet on some way to a read.
  struct Unset {
    uint32_t offset = 0;
    int bits = 0;  ///< of the register: 8 to 128
  };
  std::vector<Unset> unset;                  ///< each lane starts with unset_value(bits), so that a use shows
  std::vector<ParamArea> params, results;    ///< device functions: one area each
  uint32_t zero_bytes = 0, zero_at = 0;      ///< parameter areas: zeroed with each frame
  std::vector<std::vector<uint32_t>> lists;  ///< vector operands: frame offsets
  std::vector<CallSite> calls;
  std::vector<std::vector<int32_t>> switches;  ///< brx.idx: targets relative to the instruction
  std::vector<NearerMeetings> meetings;
  /// By jump table and entry: blocks whose meeting its lanes give up.
  std::vector<std::vector<std::vector<uint32_t>>> switches_give_up;
  std::vector<Inst> guarded;       ///< inner instructions of predicated ones
  std::vector<std::string> notes;  ///< messages of unsupported instructions
  std::vector<ptx::Function const*> callees;
  std::vector<uint32_t> slots;  ///< of the registers, by ptx register index
  bool uses_address_of_functions = false;
};

/// What a memory or branch instruction's counters belong to.
struct AccessOwner {
  uint32_t function = 0, ptx = 0;
};

class Program {
 public:
  Program(std::shared_ptr<const ptx::Module>, const SymbolTable&, const InstructionSet&);
  const InstructionSet& instructions() const { return instructions_; }
  const ptx::Module& module() const { return *module_; }
  const SymbolTable& symbols() const { return symbols_; }
  /// Decoded on first use; thread safe.
  const Code& code(uint32_t function, bool host) const;
  /// Decodes everything that a kernel may reach.
  std::vector<const Code*> closure(uint32_t kernel) const;
  uint32_t block_count() const { return blocks_; }
  uint32_t access_count() const { return uint32_t(accesses_.size()); }
  const std::vector<AccessOwner>& accesses() const { return accesses_; }
  uint32_t new_access(uint32_t function, uint32_t ptx) const;
  uint32_t new_blocks(uint32_t n) const {
    uint32_t first = blocks_;
    blocks_ += n;
    return first;
  }
  /// Smallest shared / global access of any device code (1, 2 or 4): the grain of shadow state.
  uint32_t grain_shared() const { return grain_shared_; }
  uint32_t grain_global() const { return grain_global_; }

 private:
  std::shared_ptr<const ptx::Module> module_;
  const InstructionSet& instructions_;
  SymbolTable symbols_;
  uint32_t grain_shared_ = 4, grain_global_ = 4;
  mutable std::recursive_mutex lock_;
  mutable std::vector<std::atomic<const Code*>> device_, host_;
  mutable std::vector<std::unique_ptr<Code>> owned_;
  mutable std::vector<AccessOwner> accesses_;
  mutable uint32_t blocks_ = 0;
};

const ptx::Module& module_of(const Program&);
/// Was the module compiled without optimisation, reads and writes in the order of the source?
bool compiled_as_written(const ptx::Module&);
/// What a register of so many bits holds before it is written, in code compiled as written: a NaN as a float,
/// and a number that programs hardly compute. 128 bits hold the value of 64 bits twice.
constexpr uint64_t unset_value(int bits) {
  return bits >= 64 ? 0x7ff7'badb'7fba'dbadull : bits == 32 ? 0x7fba'dbadull : 0x7dadull;
}
/// Instructions of the module that have no entry in the table (opcode, line).
std::vector<Diagnostic> unsupported(const Program&);
/// The function behind a code address, or null.
const ptx::Function* function_at(const Program&, uint64_t code_address);
/// The code address of a function (mangled name), or 0.
uint64_t code_address(const Program&, const std::string& mangled);

/// Addresses that are no memory of AddressSpace. Generic addresses of shared, local and parameter memory lie
/// in windows, as on a GPU; functions have code addresses.
namespace window {
inline constexpr uint64_t code = 0x0000'0800'0000'0000ull;
inline constexpr uint64_t shared = 0x0000'0a00'0000'0000ull;
inline constexpr uint64_t local = 0x0000'0b00'0000'0000ull;
inline constexpr uint64_t param = 0x0000'0c00'0000'0000ull;
inline constexpr uint64_t size = uint64_t(1) << 32;
inline constexpr uint32_t cta_shift = 24;  ///< shared::cluster: (rank + 1) << 24 | offset
/// What the system keeps of each block's shared memory (%reserved_smem_offset_begin). A GPU puts it first.
/// Here it lies behind all that a block can have: offsets of the block's own memory start at 0.
inline constexpr uint32_t reserved = 0x0080'0000, reserved_bytes = 1024;
inline bool in(uint64_t a, uint64_t base) { return a - base < size; }
}  // namespace window

}  // namespace dojo::simt
