#pragma once
// What one block of one launch did, instruction by instruction, in the order in which the machine ran it: the
// stuff of slow motion. PTX, not machine code: values and addresses are exact, an instruction of the GPU may
// stand for several of these.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo {

struct StepTrace {
  // ---- what to record
  uint32_t launch = 0;    ///< of the run, counted from 0
  uint64_t block = 0;     ///< linear index, x fastest
  uint32_t most = 20000;  ///< warp instructions that are kept
  uint64_t skip = 0;      ///< warp instructions before those
  std::string of_kernel;  ///< not empty: `launch` counts the launches of this kernel only
  bool by_index = false;  ///< the block is `wanted`, not `block`
  Dim3 wanted;

  // ---- what was found
  bool reached = false;   ///< the block began
  bool ended = false;     ///< and it ran to its end
  uint64_t executed = 0;  ///< warp instructions of the block, kept or not
  std::string kernel;     ///< demangled base name
  Dim3 grid, threads, index;
  uint32_t warps = 0, shared_bytes = 0, shared_static = 0;

  /// One PTX instruction that was executed.
  struct Code {
    std::string text;  ///< "add.f32 %f3, %f1, %f2"
    std::string file, function;
    int line = 0;                         ///< of the source; 0: not known
    std::vector<uint32_t> reads, writes;  ///< registers
    bool branch = false, barrier = false;
  };
  std::vector<Code> code;

  /// How a register's bits are shown: as the instructions that use it take it.
  enum class Shown : uint8_t { predicate, integer, float32, wide, float64, half };
  struct Register {
    std::string name;
    Shown shown = Shown::integer;
    std::string variable;  ///< of the source that it holds, "i" or "threadIdx.x"; empty: not known
  };
  std::vector<Register> registers;

  /// One instruction executed by the active lanes of one warp.
  struct Step {
    uint32_t code = 0;     ///< index into `code`
    uint32_t mask = 0;     ///< active lanes (with a guard: those that it lets through)
    uint32_t live = 0;     ///< lanes that have not ended, after it
    uint32_t waiting = 0;  ///< lanes that wait after it: at a barrier, for each other, for another block
    uint32_t epoch = 0;    ///< grows whenever waiting lanes are let go
    uint32_t until = ~0u;  ///< the epoch in which the wait ends
    uint32_t first_write = 0, first_shared = 0;  ///< into `writes` and `shared_writes`
    uint32_t access = 0;                         ///< 1 + index of its first in `accesses`; 0: none
    uint16_t warp = 0, writes = 0;
    uint16_t shared = 0;  ///< words of shared memory that it changed
    uint8_t barrier = 0;  ///< number of the barrier at which `waiting` wait
    uint8_t flags = 0;
    uint32_t access_count = 0;
  };
  static constexpr uint8_t diverged = 1, ended_lanes = 2, at_barrier = 4, parked = 8;
  std::vector<Step> steps;

  /// A register's new values in the step's active lanes.
  struct Write {
    uint32_t reg = 0, mask = 0;
    uint32_t first = 0;  ///< into `values`: one value for all lanes (uniform), else one for each lane of mask
    uint8_t words = 1;   ///< 32-bit words of a value
    uint8_t uniform = 0;
    uint16_t pad = 0;
  };
  std::vector<Write> writes;
  std::vector<uint32_t> values;

  enum class Space : uint8_t { shared, global, local, constant, parameter };
  struct Access {
    Space space = Space::global;
    uint8_t store = 0, atomic = 0;
    uint8_t bytes = 4;  ///< of a lane
    uint32_t mask = 0;
    uint32_t first =
        0;  ///< into `addresses`, one for each lane of mask; shared: offsets in the block's memory
    uint16_t wavefronts = 0;          ///< shared: passes through the 32 banks
    uint16_t fewest_wavefronts = 0;   ///< shared: of an access without bank conflicts
    uint16_t sectors = 0, lines = 0;  ///< global: 32-byte sectors and 128-byte lines
  };
  std::vector<Access> accesses;
  std::vector<uint64_t> addresses;

  struct SharedWrite {
    uint32_t word = 0, value = 0;
  };
  std::vector<SharedWrite> shared_writes;

  struct Note {
    uint32_t step = 0;  ///< at which it was found
    int line = 0;
    uint16_t warp = 0;
    uint64_t executed = 0;  ///< warp instructions of the block before it, recorded or not
    FindingKind kind = FindingKind::none;
    std::string text;
  };
  std::vector<Note> notes;

  /// A global buffer that the block touched, by its base address.
  struct Region {
    uint64_t base = 0, bytes = 0;
    std::string name;
  };
  std::vector<Region> regions;
};

/// The recorded part as text (base64) for a line-based channel, and back. Throws Error on text that is no
/// trace.
std::string encode_trace(const StepTrace&);
StepTrace decode_trace(const std::string&);

/// A lane's value of a write, as 64 bits; `lane` must be in its mask.
uint64_t value_of(const StepTrace&, const StepTrace::Write&, uint32_t lane);
/// The address that a lane used.
uint64_t address_of(const StepTrace&, const StepTrace::Access&, uint32_t lane);
/// "3.5", "-2", "0x7f…", "true": a value as its register is shown.
std::string value_text(StepTrace::Shown, uint64_t bits);
/// A trace for people and scripts, one JSON object.
std::string trace_to_json(const StepTrace&);

}  // namespace dojo
