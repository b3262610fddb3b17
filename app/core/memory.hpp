#pragma once
// One address space for host and device: a table of regions with owners. Addresses are what the student's
// program sees; they are the same on every run (never the process's own), so that a printed pointer and a
// finding repeat. Backed regions live in two reserved arenas, so that translating an address is an addition.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo {

enum class Owner : uint8_t {
  host_stack,
  host_heap,
  host_global,
  pinned,  // host side
  device,
  device_global,
  constant,
  managed,  // device side
};
const char* to_string(Owner);
inline bool host_can_access(Owner o) { return o <= Owner::pinned || o == Owner::managed; }
inline bool device_can_access(Owner o) { return o >= Owner::device || o == Owner::pinned; }

/// One allocation. Addresses are never reused, so a freed region still explains a late access.
struct Region {
  uint64_t base = 0, size = 0;
  Owner owner = Owner::device;
  bool freed = false;
  bool read_only = false;     ///< a `const` input: a write is a finding
  bool initialized = false;   ///< wholly written from the start (host input, memset): no bitmap needed
  bool adopted = false;       ///< a real driver's: it reuses addresses, and gives the pages back itself
  std::byte* data = nullptr;  ///< backing; null when the bytes live on a real GPU, out of the host's reach
  std::string name;           ///< "in", "cudaMalloc at reduce.cu:42", ...
  SourceLoc allocated, released;
  struct Range {
    uint64_t base = 0, size = 0;
    bool contains(uint64_t a, uint64_t n) const {
      return a >= base && a - base <= size && n <= size - (a - base);
    }
  };
  std::vector<Range>
      registered;  ///< host memory: what of it cudaHostRegister has pinned, which kernels reach
  // Shadow state, made on first use by the checks (simt/checks/shadow.hpp): per 4-byte word.
  std::shared_ptr<void> shadow;
  bool contains(uint64_t a, uint64_t n) const { return Range{base, size}.contains(a, n); }
  /// Can kernels access some of it? And both kernels and host code?
  bool on_device() const { return device_can_access(owner) || !registered.empty(); }
  bool on_both() const { return owner == Owner::pinned || owner == Owner::managed || !registered.empty(); }
  /// What kernels can access of it around these bytes; of size 0: nothing.
  Range reached(uint64_t address, uint64_t bytes) const {
    if (device_can_access(owner)) return {base, size};
    for (const Range& r : registered)
      if (r.contains(address, bytes)) return r;
    return {};
  }
};

class AddressSpace {
 public:
  static constexpr uint64_t host_base = 0x0000'1000'0000'0000ull;
  static constexpr uint64_t device_base = 0x0000'7000'0000'0000ull;
  static constexpr uint64_t align = 256;   ///< of every region, as cudaMalloc
  static constexpr uint64_t guard = 1024;  ///< unmapped bytes after every region

  /// Reserves address room only; memory is committed as it is touched. `limit` bytes may be live at once.
  explicit AddressSpace(uint64_t limit_bytes = uint64_t(12) << 30);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// For a program whose host part runs natively in this process: host, pinned and managed regions then have
  /// the process's own addresses, and a host access to the device's addresses faults. Before the first
  /// allocation. Throws Error when this process uses those addresses already.
  void share_with_process();
  /// Is this an address of the device's side, live or not?
  bool on_device_side(uint64_t address) const;

  /// A new backed region (contents undefined, reads of them are findings), or null when over the limit.
  Region* allocate(uint64_t bytes, Owner, std::string name = {}, SourceLoc where = {});
  /// A region whose bytes a real GPU's driver holds, at the address `base`. What the host can access needs
  /// its `data`.
  Region* adopt(uint64_t base, uint64_t bytes, Owner, std::string name = {}, SourceLoc where = {});
  /// Marks freed and gives the pages back. False when `address` is not the start of a live region.
  bool release(uint64_t address, SourceLoc where = {});

  /// The region, freed or live, that holds `address`, or null. Logarithmic; callers cache.
  Region* find(uint64_t address);
  /// The nearest region below or above, to explain a bad address ("12 bytes past the end of ...").
  Region* nearest(uint64_t address);
  /// "in + 4096 (16 bytes past its end)" and such.
  std::string describe(uint64_t address);

  /// Pointer to `n` bytes at `address`, or null when not wholly inside one live, backed region.
  std::byte* at(uint64_t address, uint64_t n);
  /// What a copy reads or writes: as at(), and when shared with the process any of its own memory too.
  std::byte* copyable(uint64_t address, uint64_t n);

  const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }
  uint64_t live_bytes() const { return live_; }
  /// How many bytes may be live at once, from the next allocation on; at least those that are.
  void set_limit(uint64_t bytes) { limit_ = bytes > live_ ? bytes : live_; }
  /// Bytes that can still be allocated.
  uint64_t free_bytes() const { return limit_ - live_; }
  /// The last allocation that failed since it was over the limit; 0 bytes: none.
  struct Refused {
    uint64_t bytes = 0;
    SourceLoc where;
  };
  const Refused& refused() const { return refused_; }

 private:
  struct Arena;
  std::unique_ptr<Arena> host_, device_;
  std::vector<std::unique_ptr<Region>> regions_;  // sorted by base
  uint64_t live_ = 0, limit_ = 0;
  bool shared_ = false;
  Refused refused_;
};

}  // namespace dojo
