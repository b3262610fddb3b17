#pragma once
// What a memory instruction means for the order of threads, read from its PTX and from what its result is
// used for: its scope, whether it polls a flag, takes a lock, or only sets a word.
#include <cstdint>
#include <string_view>
#include <vector>

#include "simt/decode/program.hpp"

namespace dojo::simt {

enum class Scope : uint8_t { block, cluster, device };

struct AccessTraits {
  Scope scope = Scope::device;
  bool is_volatile = false;
  bool strong = false;         ///< of a load or store: volatile, relaxed, acquire or release
  bool releases = false;       ///< .release or .acq_rel
  bool acquires = false;       ///< .acquire or .acq_rel
  bool polls = false;          ///< in a loop that its result ends: waits for a flag
  bool waits = false;          ///< in a loop that only another thread's write to its word ends
  bool takes_lock = false;     ///< a compare-and-swap with a constant, or an exchange in a loop with one
  bool swaps = false;          ///< a compare-and-swap
  bool sets = false;           ///< an exchange whose result is unused
  bool counts = false;         ///< an addition, minimum, ... that changes the word
  bool seeds_swap = false;     ///< a plain load whose value a compare-and-swap expects
  bool only_compared = false;  ///< a plain load whose value is compared, and used for nothing else
  bool keeps_order = false;    ///< an atomic or a strong access of shared memory that threads may wait on
  /// The one static array of shared memory that the address is computed from: its name, and its place in the
  /// block's shared memory. Empty: there is none, or there are several.
  std::string_view array;
  uint32_t array_begin = 0, array_end = 0;
};

/// Reads traits function by function.
class TraitsReader {
 public:
  explicit TraitsReader(const ptx::Module& m) : module_(m) {}
  AccessTraits read(uint32_t function, uint32_t instruction);

 private:
  /// Reads what all instructions of a function share: once, since functions of 100,000 instructions exist.
  void open(const ptx::Function&);
  /// The constant that an operand always holds, or null.
  const uint64_t* constant(const ptx::Operand&) const;
  bool result_used(const ptx::Instruction&) const;
  /// Does the operand hold the same value in each round of a loop?
  bool same_each_round(const ptx::Operand&) const;
  void find_arrays(const ptx::Function&);
  void set_array(const ptx::Function&, const ptx::Instruction&, AccessTraits&) const;
  const ptx::Variable* shared_array(const ptx::Function&, const ptx::Operand&) const;
  const ptx::Module& module_;
  const ptx::Function* function_ = nullptr;
  bool swaps_ = false;  ///< the function has a compare-and-swap, or calls a function that may
  // By register of function_:
  std::vector<bool> read_, used_;             ///< used_: by something beside a comparison
  std::vector<bool> set_in_loop_;             ///< by something beside a mov of a constant or special register
  std::vector<const uint64_t*> constants_;    ///< the one value that a mov sets, or null
  std::vector<const ptx::Variable*> arrays_;  ///< the array of shared memory that it points into
};
/// Is a fence, a release or an acquire of any scope among the instructions?
bool has_fences(const ptx::Function&);
Scope scope_of(const ptx::Instruction&);

}  // namespace dojo::simt
