#pragma once
// Memory that host and device share, as host code sees it: what it writes is written, and what a kernel or a
// copy without a wait may still be at.
#include <span>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/memory.hpp"

namespace dojo::simt {

class Program;

/// A kernel or an asynchronous copy that was queued and not waited for, at some bytes of a region.
struct InFlight {
  std::string what;     ///< "the kernel step", "a cudaMemcpyAsync"
  SourceLoc where;      ///< of the launch or the call
  uint64_t stream = 0;  ///< the device's handle
  uint64_t order = 0;   ///< grows with every launch, copy and wait of the program
  uint64_t offset = 0, bytes = 0;
  bool writes = false, copy = false;
  uint64_t width = 0,
           row = 0;  ///< of a copy of rows: their bytes, and from one to the next; width 0: all bytes
};

/// Is there a byte that both are at?
bool meet(const InFlight&, const InFlight&);
/// Is it at any of these bytes of the region?
bool covers(const InFlight&, uint64_t offset, uint64_t bytes);

void note_in_flight(Region&, InFlight);
void clear_in_flight(Region&);
std::span<const InFlight> in_flight(const Region&);

/// Host code reads or writes bytes of a region. Returns what it must have waited for and didn't, or null.
const InFlight* host_touch(Region&, uint64_t address, uint64_t bytes, bool write);
/// "Host code reads x + 8 while the kernel ... may still write it. ..."
std::string too_early(const std::string& what, const InFlight&, bool write);

/// The regions that a launch may write to; false: could be any.
bool launch_writes(AddressSpace&, const Program&, const LaunchSpec&, std::vector<Region*>*);

}  // namespace dojo::simt
