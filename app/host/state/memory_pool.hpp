#pragma once
// The one memory pool of cudaMallocAsync. It keeps what is freed up to its release threshold, as CUDA's does
// at a synchronisation; only its attributes show that (queries/calls_pools.cpp).
#include <cstdint>
#include <map>

namespace dojo::host {

/// Sizes are bytes.
struct MemoryPool {
  std::map<uint64_t, uint64_t> live;  ///< allocations: address, bytes
  std::map<int, uint64_t> settings;   ///< cudaMemPoolSetAttribute, by attribute
  uint64_t used = 0, most_used = 0, reserved = 0, most_reserved = 0;

  /// Counts an allocation; one that is counted already changes nothing.
  void note_allocation(uint64_t address, uint64_t bytes);
  /// Counts the end of an allocation; an address that is none of the pool's changes nothing.
  void note_release(uint64_t address);
  /// An attribute that can be set, or CUDA's default of it.
  uint64_t setting(int attribute) const;
};

}  // namespace dojo::host
