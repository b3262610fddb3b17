#pragma once
// Alignment that the PTX ISA states apart from an access's own size: of fragments (wmma), and of bulk copies.
// Example: a fragment of 16 x 16 floats is 32 bytes per lane, so its address must be a multiple of 32,
// although the GPU moves 8 bytes at a time.
#include "simt/state/exec.hpp"

namespace dojo::simt {

struct Alignment {
  std::string what;      ///< "Thread 0 loads a fragment from"
  uint32_t bytes;        ///< what the address must be a multiple of; a power of two
  std::string remedy;    ///< "Declare the array as alignas(32)."
  uint32_t element = 1;  ///< bytes of an element, for the place's name
};

/// Ends the run: `address` breaks the rule. In shared memory it is without its window.
[[noreturn]] void misaligned(Exec&, const Inst*, uint64_t address, uint32_t lane, ptx::Space,
                             const Alignment&);

}  // namespace dojo::simt
