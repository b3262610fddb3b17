#pragma once
// How many blocks of a kernel fit on one SM, and why not more.
#include <string>

#include "simt/gpu/device_model.hpp"

namespace dojo::simt {

struct KernelNeeds {
  uint32_t threads = 1;                        ///< of a block
  int registers = 16;                          ///< of a thread
  uint64_t static_smem = 0, dynamic_smem = 0;  ///< bytes, of a block
};

struct Occupancy {
  int blocks = 0;       ///< on one SM; 0: a block does not fit
  int warps = 0;        ///< of all these blocks
  double share = 0;     ///< warps over the SM's warp slots
  std::string limiter;  ///< "blocks", "warps", "registers" or "shared": the first that binds
  int by_blocks = 0, by_warps = 0, by_registers = 0, by_shared = 0;
};

/// Residency by the rules of the toolkit's occupancy calculator: registers go to a warp in units of 256 from
/// a quarter of the register file; shared memory to a block in the device's units with the system's share
/// added.
Occupancy occupancy(const DeviceModel&, const KernelNeeds&);

/// Bytes of shared memory that the SM sets aside for `blocks` such blocks: the least carve-out that holds
/// them. What is left of l1_kb caches.
int carveout_bytes(const DeviceModel&, const KernelNeeds&, int blocks);

}  // namespace dojo::simt
