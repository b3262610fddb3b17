#pragma once
// Host memory that the program pinned: by cudaHostRegister, and the flags of cudaHostAlloc.
#include <cstdint>
#include <map>

namespace dojo::host {

struct PinnedMemory {
  std::map<uint64_t, uint64_t> registered;  ///< by cudaHostRegister: address, bytes
  std::map<uint64_t, unsigned> flags;       ///< of cudaHostAlloc and cudaHostRegister, by address

  /// Has one cudaHostRegister pinned all these bytes?
  bool holds(uint64_t address, uint64_t bytes) const;
  /// Has cudaHostRegister pinned some of these bytes?
  bool meets(uint64_t address, uint64_t bytes) const;
};

}  // namespace dojo::host
