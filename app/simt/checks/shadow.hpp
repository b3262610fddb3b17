#pragma once
// Shadow state of memory: which bytes were written (uninitialised reads) and, per grain, who wrote and read
// last (races, and who wrote a wrong element). Regions carry theirs in Region::shadow.
//
// The room takes each access as it is made (check_shared, check_global, check_local) and gives findings to
// the Supervisor. It knows no instruction beyond its address, and never changes what a program computes.
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "simt/checks/host_view.hpp"
#include "simt/decode/access_traits.hpp"
#include "simt/state/access.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Who touched a grain of global memory last. Fields from the top: ticket of the block (24 bits; tickets grow
/// from launch to launch), sync stamp (14), thread of the block (10), strong access (1), access (15); 0:
/// no thread.
struct Tag {
  static constexpr int ticket_shift = 40, stamp_shift = 26, thread_shift = 16;
  static constexpr uint64_t max_ticket = 0xffffff, max_stamp = 0x3fff, strong_bit = 0x8000,
                            max_access = 0x7fff;
  static uint64_t make(uint64_t ticket, uint64_t stamp, uint64_t thread, bool strong, uint64_t access) {
    return ticket << ticket_shift | (stamp < max_stamp ? stamp : max_stamp) << stamp_shift |
           thread << thread_shift | (strong ? strong_bit : 0) | (access < max_access ? access : max_access);
  }
  /// Two tags that are alike in these bits are of one thread of one block, whatever its stamps and accesses.
  static constexpr uint64_t block_and_thread = ~(max_stamp << stamp_shift | 0xffff);
  static uint64_t ticket(uint64_t t) { return t >> ticket_shift; }
  static uint64_t stamp(uint64_t t) { return t >> stamp_shift & max_stamp; }
  static uint32_t thread(uint64_t t) { return uint32_t(t >> thread_shift & 1023); }
  static uint32_t access(uint64_t t) { return uint32_t(t & max_access); }
};

/// Zeroed memory that is committed as it is touched.
template <class T>
struct LazyArray {
  Pages pages;
  T* data = nullptr;
  size_t size = 0;
  void allocate(size_t n) {
    pages = zeroed_pages(n * sizeof(T));
    data = reinterpret_cast<T*>(pages.get());
    size = data ? n : 0;
  }
  T& operator[](size_t i) { return data[i]; }
  const T& operator[](size_t i) const { return data[i]; }
};

struct RegionShadow {
  uint32_t grain = 4;                       ///< bytes per tag
  LazyArray<uint64_t> write, read1, read2;  ///< tags by grain
  LazyArray<uint64_t> init;                 ///< one bit a byte
  std::vector<InFlight> in_flight;          ///< copies that no thread has waited for
  uint64_t untracked = 0;                   ///< group of launches (its first ticket) that can't write here
};

/// Makes a region's shadow if it has none, or refines its grain.
RegionShadow* global_shadow(Region&, uint32_t grain);

/// Marks bytes of a region as written (a host copy, a memset). Nothing to do when the region is initialised
/// whole.
void mark_initialized(Region&, uint64_t offset, uint64_t bytes);
/// The block and thread that last wrote the word at an address, from shadow state; false: no kernel did.
bool last_writer(AddressSpace&, uint64_t address, Dim3* block, Dim3* thread);

void prepare_shared_shadow(Block&, uint32_t grain);
void prepare_global_shadow(AddressSpace&, uint32_t grain);
void clear_all_shadow(AddressSpace&);
/// The next free block ticket of an address space.
uint64_t shadow_ticket(AddressSpace&);
void set_shadow_ticket(AddressSpace&, uint64_t);
/// Which blocks the tickets from `first` on stand for, kept for last_writer.
void note_launch_tickets(AddressSpace&, uint64_t first, const Dim3& grid, const Dim3& block);

using ShadowCopy = std::shared_ptr<RegionShadow>;
/// Which bytes were written; with `tags` also by and for whom, where launches that ran earlier are not over.
/// Tags that an abandoned run left are gone after a restore either way.
ShadowCopy save_shadow(const Region&, bool tags);
void restore_shadow(Region&, ShadowCopy);
/// A strong load saw what another block wrote to `address`, or was woken by it: noted in the block's trace.
void note_wake(Exec&, Block&, Warp&, uint64_t address);

void check_shared(Exec&, const Inst*, const Span&, uint32_t bytes, bool write, bool atomic = false);
void check_global(Exec&, const Inst*, AccessCount&, const Span&, uint32_t bytes, bool write, bool strong);
void check_local(Exec&, const Inst*, uint32_t lane, uint64_t offset, uint32_t bytes, bool write);

/// The key of a finding: its kind, the access that meets it and, of a race, the other one.
enum class Check : uint64_t {
  shared_race = 1,
  shared_unwritten,
  global_race,
  global_unwritten,
  local_unwritten,
  shared_overrun,
  copy_in_flight,
  peer_race,
  peer_end,
  peer_start,
  bulk_store,
  stale_texture,
  texture_type,
  barrier_start,
  barrier_unstarted,
  register_unset
};
inline uint64_t finding_key(Check kind, uint32_t access, uint32_t other = 0, bool write = false,
                            bool other_write = false) {
  return uint64_t(kind) << 58 | uint64_t(write) << 57 | uint64_t(other_write) << 56 |
         uint64_t(access & 0xfffffff) << 28 | (other & 0xfffffff);
}

// ---- cp.async (shadow_copies.cpp) -------------------------------------------------------------------------
/// Copies to shared memory that their threads have not waited for, of one block.
struct CopiesInFlight {
  struct Copy {
    uint32_t thread, group, access;
    uint64_t offset;
    uint32_t bytes;
  };
  uint32_t ticket = 0;
  std::vector<Copy> copies;
  std::vector<uint32_t> committed;  ///< groups, by thread
};
/// Tags at and above this one: a copy is under way.
inline constexpr uint32_t copy_tag = ((1u << 22) - 1) << 10;
void note_copy(Exec&, const Inst*, uint32_t lane, uint64_t offset, uint32_t bytes);
void note_copy_group(Exec&, uint32_t lanes);
/// All but the last `left` groups of the lanes have arrived; `left` ~0: also what is in no group yet.
void note_copy_wait(Exec&, uint32_t lanes, uint32_t left);
/// A bulk store reads shared memory through the async proxy. What threads wrote there is visible to it behind
/// a fence.proxy.async, by the writer or, behind a barrier, by the thread that starts the copy.
void check_bulk_store(Exec&, const Inst*, uint32_t lane, uint64_t offset, uint64_t bytes);
void note_proxy_fence(Exec&, uint32_t lanes);
/// The copy that is under way to a word, or null.
const CopiesInFlight::Copy* copy_in_flight(Exec&, uint64_t offset);

// ---- what orders threads beside barriers (sync.cpp; the rule: docs/findings.md) ---------------------------
/// Stamps here are those of tags: from 1 at the block's start.

/// A fence by some lanes of a warp: it covers their accesses up to `epoch`, what the block did before
/// `barrier` and the warp before `sync`.
struct Fence {
  uint32_t epoch = 0, barrier = 0, sync = 0, lanes = 0;
  Scope scope = Scope::device;
};
/// A write to a flag or counter.
struct Release {
  uint32_t ticket = 0, thread = 0;
  uint32_t epoch = 0, barrier = 0, sync = 0;
  uint32_t acquired = 0;  ///< how many acquisitions the block had made before
  uint32_t lock = 0;      ///< first stamp inside the critical section that this write ends; 0: it ends none
  Scope scope = Scope::device;
};
/// A read of a flag or counter by a strong load or an atomic: it saw the first `version` releases.
struct Acquire {
  uint32_t order = 0;  ///< among the block's acquisitions of all flags
  uint32_t version = 0, thread = 0, epoch = 0;
  bool acquires = false;  ///< needs no fence behind it
  bool lock = false;      ///< takes a lock
  bool observes = false;  ///< an atomic or a polling load, not a volatile access of data
  Scope scope = Scope::device;
};
/// Flags, counters, and who synchronised through them; blocks run in one order, so this needs no lock.
struct SyncState {
  struct Flag {
    std::vector<Release> releases;
    std::unordered_map<uint32_t, std::vector<uint32_t>> by_ticket;
    Release held;  ///< by whom the lock is held: epoch is the first inside; ticket 0: it is free
  };
  /// What a block acquired, by flag and in the order of time.
  struct Acquired {
    uint32_t count = 0;
    std::unordered_map<uint64_t, std::vector<Acquire>> by_flag;
  };
  /// The last write, for traces: who ends a wait.
  struct Writer {
    uint32_t launch = 0, warp = 0, step = 0;
    uint64_t block = 0;
    uint32_t sets = 0;  ///< how often it has set the word, without another block's write between
  };
  /// A word that blocks add to and wait at, as at a barrier. A block that adds to it, looks at it and adds
  /// again begins the next round: what the others of the round wait for is the last write before that one.
  struct Rounds {
    struct Arrival {
      uint32_t round = 0;
      bool looked = false;
    };
    uint32_t launch = 0, round = 0;
    Writer ended;                                    ///< the last write of the round before
    std::unordered_map<uint64_t, Arrival> arrivals;  ///< by block: its last addition
  };
  /// Flags of global memory: by address / 4; of shared memory: see shared_flag.
  std::unordered_map<uint64_t, Flag> flags;
  std::unordered_map<uint64_t, Writer> writers;  ///< by address / 4, of all launches so far
  std::unordered_map<uint64_t, Rounds> rounds;   ///< by address / 4, of words that are added to
  size_t arrivals = 0;                           ///< in all of them
  /// Launches whose blocks publish a word more than once, as a look-back does: a part first, the whole later.
  std::unordered_set<uint32_t> stepwise;
  std::unordered_map<const Warp*, uint64_t> last_look;  ///< in them: the address that a warp looked at last
  std::unordered_map<uint32_t, Acquired> acquired;      ///< by ticket
  std::unordered_map<uint64_t, std::vector<Fence>> fences;  ///< by ticket << 5 | warp
  /// By ticket: stamps of the barriers behind which a device-wide fence was executed, ascending.
  std::unordered_map<uint32_t, std::vector<uint32_t>> fenced;
  /// What ran before is over for the checks; in time, a launch that runs after it here may still overlap it
  /// there.
  std::unordered_set<uint64_t>
      tangled;  ///< pairs of accesses (finding_key) whose order was too long to look for
  int64_t searches = 0,
          searched = 0;  ///< how often an order was looked for, and what all that cost (in releases compared)
  size_t noted = 0;      ///< releases and fences that are kept
  uint64_t forgotten = 0;  ///< of blocks below this ticket they are not; what orders those is not known
  void next_set(uint64_t forget) {
    flags.clear(), acquired.clear(), fences.clear(), fenced.clear(), tangled.clear();
    rounds.clear(), arrivals = 0;
    noted = 0, forgotten = forget;
  }
};
/// A stamp of its own for what the running warp accesses from here on: a fence before does not cover it.
void next_epoch(Exec&);
/// A fence by some lanes of the running warp.
void note_fence(Exec&, uint32_t lanes, Scope);
/// A lane changed a word by an atomic that may have taken a lock. Shared memory: the generic address.
void note_lock(Exec&, const Inst*, uint64_t address, uint32_t lane);
/// An exchange whose result is unused sets a word of memory: noted, because its thread's own next addition
/// hides it. The tag of the last one, or 0.
void note_set(Exec&, uint64_t flag, uint32_t lane, uint32_t access);
uint64_t last_set(Exec&, uint64_t flag);
inline uint64_t global_flag(uint64_t address) { return address / 4; }
inline uint64_t shared_flag(const Block& b, uint64_t offset) {
  return uint64_t(1) << 63 | uint64_t(b.ticket) << 32 | offset / 4;
}
void note_strong_write(Exec&, const Inst*, uint64_t flag, uint32_t lane);
void note_strong_read(Exec&, const Inst*, uint64_t flag, uint32_t lane, uint64_t write_tag);
/// For traces: who waits for the word waits for this write. `sets`: it is no addition.
void note_writer(Exec&, uint64_t address, bool sets);
/// A strong load of global memory. Where it finds what a block has set for the second time, blocks run step
/// by step from here on (SyncState::stepwise), and each look at another word than before ends the warp's
/// slice.
void note_look(Exec&, const Span&);
/// Is an access by `other` ordered before lane's access now, by flags and fences? `strong`: the access now is
/// volatile or atomic. `pair`: finding_key of the two; where one search took very long, no other is made for
/// that pair.
bool ordered_by_flags(Exec&, uint64_t flag, uint64_t other, uint32_t thread, bool strong, uint64_t pair);

}  // namespace dojo::simt
