#pragma once
// Shadow state of memory: which bytes were written (uninitialised reads) and, per grain, who wrote and read last
// (races, and who wrote a wrong element). Regions carry theirs in Region::shadow.
#include <memory>

#include "simt/exec.hpp"

namespace dojo::simt {

/// Who touched a grain of global memory last: ticket of the block << 32 | sync stamp << 10 | thread; 0: nobody.
using GlobalTag = uint64_t;

struct RegionShadow {
  uint32_t grain = 4;                       ///< bytes per tag
  std::unique_ptr<GlobalTag[]> write, read1, read2;  ///< by grain; made on first use
  std::unique_ptr<uint32_t[]> write_at, read_at;     ///< which access (Program's index + 1) it was
  std::unique_ptr<uint64_t[]> init;         ///< one bit a byte
  uint64_t grains = 0, bytes = 0;
  std::mutex* lock = nullptr;
};

/// Marks bytes of a region as written (a host copy, a memset). Cheap when the region is initialised as a whole.
void mark_initialized(Region&, uint64_t offset, uint64_t bytes);
bool is_initialized(const Region&, uint64_t offset, uint64_t bytes);
/// The block ticket and thread that last wrote the word at an offset; false: no kernel did (or not known).
bool last_writer(const Region&, uint64_t offset, uint64_t* ticket, uint32_t* thread);

void prepare_shared_shadow(Block&, uint32_t grain);
void clear_all_shadow(AddressSpace&);
/// The next free block ticket of an address space.
uint64_t shadow_ticket(AddressSpace&);
void set_shadow_ticket(AddressSpace&, uint64_t);
/// Which blocks of which launch the tickets stand for, kept for last_writer.
void note_launch_tickets(AddressSpace&, uint64_t first, const Dim3& grid, const Dim3& block);
bool ticket_place(AddressSpace&, uint64_t ticket, uint32_t thread, Dim3* block, Dim3* in_block);

using ShadowCopy = std::shared_ptr<void>;
ShadowCopy save_shadow(const Region&);
void restore_shadow(Region&, ShadowCopy);
/// May a launch write to this region? (Conservative: true when in doubt.)
bool may_write(const Grid&, const Region&);
/// A parked split was woken by a write to `address`: noted in the block's trace.
void note_wake(Exec&, Block&, Warp&, uint64_t address);

}  // namespace dojo::simt
