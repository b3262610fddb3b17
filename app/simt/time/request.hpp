#pragma once
// One access of a warp to global or local memory, classified once: what it does, how far it must go, how many
// bytes it moves on each leg. The stages of SmMemory read it and classify nothing themselves.
#include <cstdint>

#include "simt/time/stream.hpp"

namespace dojo::simt {

/// The last level that an access needs.
enum class Level : uint8_t { l1, l2, dram };

struct MemoryRequest {
  const StreamOp* stream = nullptr;
  bool load = false, store = false, atomic = false;  ///< an atomic whose result is used is a load too
  Level level = Level::l1;
  int sectors = 0;          ///< 32-byte sectors that it touches
  int l2_sectors = 0;       ///< of these, sectors that the L1 doesn't answer
  double dram_sectors = 0;  ///< sectors that DRAM is read for, with the neighbours that come along
  double dram_writes = 0;   ///< bytes of write-back that it causes
  double bytes = 0;         ///< between the SM and the L2
  bool crowd = false;       ///< so many blocks ask DRAM for the line at once that it answers sooner
  int parts = 1;            ///< pieces of 64 bytes in which DRAM answers

  /// Sectors that the L1 holds, of the `sectors` of a load. Stores and atomics go to the L2.
  static int l1_hits(const StreamOp& s) { return s.op->store || s.op->atomic ? 0 : s.l1_hits; }
};

}  // namespace dojo::simt
