#include "core/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>

#include "core/collections/rounding.hpp"
#include "core/error.hpp"

namespace dojo {

const char* to_string(Owner o) {
  switch (o) {
    case Owner::host_stack:
      return "host memory (stack)";
    case Owner::host_heap:
      return "host memory (heap)";
    case Owner::host_global:
      return "host memory (a variable)";
    case Owner::pinned:
      return "pinned host memory";
    case Owner::device:
      return "device memory";
    case Owner::device_global:
      return "device variable";
    case Owner::constant:
      return "constant memory";
    case Owner::managed:
      return "managed memory";
  }
  return "memory";
}

/// A span of reserved address room that regions are cut from, in order, never twice.
struct AddressSpace::Arena {
  uint64_t base;  // what the program sees
  std::byte* data = nullptr;
  uint64_t bytes = 0, used = 0;

  explicit Arena(uint64_t base_address, uint64_t least) : base(base_address) {
    // A process may run under an address-space limit: take an eighth of it then, since several memories may
    // live at once, and less where that is not to be had, but never too little to be useful.
    bytes = uint64_t(1) << 40;
    if (rlimit r{}; getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
      bytes = std::bit_floor(std::clamp<uint64_t>(r.rlim_cur / 8, least, bytes));
    for (; bytes >= least; bytes /= 2) {
      void* p =
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED) continue;
      data = static_cast<std::byte*>(p);
      madvise(data, bytes, MADV_HUGEPAGE);
      return;
    }
    throw Error("no address room for the modelled memory; raise the address-space limit (ulimit -v)", 71);
  }
  /// Moves to the program's own addresses: `backed` to be used by host code, else to be kept from it.
  void appear_at_base(bool backed) {
    const int access = backed ? PROT_READ | PROT_WRITE : PROT_NONE;
    void* p = mmap(reinterpret_cast<void*>(base), bytes, access,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != reinterpret_cast<void*>(base))
      throw Error("the program uses addresses that the modelled memory needs", 71);
    if (!backed) return;
    munmap(data, bytes);
    data = static_cast<std::byte*>(p);
  }
  ~Arena() {
    if (data) munmap(data, bytes);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
};

AddressSpace::AddressSpace(uint64_t limit_bytes) : limit_(limit_bytes) {
  constexpr uint64_t least = uint64_t(1) << 28;
  host_ = std::make_unique<Arena>(host_base, least);
  device_ = std::make_unique<Arena>(device_base, least);
}

AddressSpace::~AddressSpace() = default;

void AddressSpace::share_with_process() {
  host_->appear_at_base(true);
  device_->appear_at_base(false);
  shared_ = true;
}

bool AddressSpace::on_device_side(uint64_t address) const {
  return address >= device_base && address - device_base < device_->bytes;
}

namespace {
struct ByBase {
  bool operator()(uint64_t a, const std::unique_ptr<Region>& r) const { return a < r->base; }
};
}  // namespace

Region* AddressSpace::allocate(uint64_t bytes, Owner owner, std::string name, SourceLoc where) {
  if (bytes > limit_ || live_ > limit_ - bytes) {
    refused_ = {bytes, std::move(where)};
    return nullptr;
  }
  const bool on_host = owner <= Owner::pinned || (shared_ && owner == Owner::managed);
  Arena& arena = on_host ? *host_ : *device_;
  // A region of no bytes still gets an address of its own.
  const uint64_t room = round_up(std::max<uint64_t>(bytes, 1) + guard, align);
  if (room > arena.bytes - arena.used) return nullptr;
  auto r = std::make_unique<Region>();
  r->base = arena.base + arena.used;
  r->size = bytes;
  r->owner = owner;
  r->data = arena.data + arena.used;
  r->name = std::move(name);
  r->allocated = std::move(where);
  arena.used += room;
  live_ += bytes;
  Region* result = r.get();
  regions_.insert(std::upper_bound(regions_.begin(), regions_.end(), r->base, ByBase{}), std::move(r));
  return result;
}

Region* AddressSpace::adopt(uint64_t base, uint64_t bytes, Owner owner, std::string name, SourceLoc where) {
  auto r = std::make_unique<Region>();
  r->base = base;
  r->size = bytes;
  r->owner = owner;
  r->name = std::move(name);
  r->allocated = std::move(where);
  r->adopted = true;
  live_ += bytes;
  // A real allocator reuses addresses: what is there now replaces freed regions that it overlaps.
  std::erase_if(regions_, [&](const std::unique_ptr<Region>& old) {
    return old->freed && old->adopted && old->base < base + std::max<uint64_t>(bytes, 1) &&
           base < old->base + std::max<uint64_t>(old->size, 1);
  });
  Region* result = r.get();
  regions_.insert(std::upper_bound(regions_.begin(), regions_.end(), base, ByBase{}), std::move(r));
  return result;
}

bool AddressSpace::release(uint64_t address, SourceLoc where) {
  Region* r = find(address);
  if (!r || r->base != address || r->freed) return false;
  r->freed = true;
  r->released = std::move(where);
  r->shadow.reset();
  live_ -= r->size;
  if (r->data && !r->adopted) {
    // Only whole pages inside the region: its neighbours share the others.
    const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
    auto first = round_up(reinterpret_cast<uintptr_t>(r->data), page);
    auto last = (reinterpret_cast<uintptr_t>(r->data) + r->size) / page * page;
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }
  return true;
}

Region* AddressSpace::find(uint64_t address) {
  auto it = std::upper_bound(regions_.begin(), regions_.end(), address, ByBase{});
  if (it == regions_.begin()) return nullptr;
  Region* r = std::prev(it)->get();
  if (address - r->base < r->size || address == r->base) return r;
  return nullptr;
}

Region* AddressSpace::nearest(uint64_t address) {
  auto it = std::upper_bound(regions_.begin(), regions_.end(), address, ByBase{});
  Region* above = it == regions_.end() ? nullptr : it->get();
  Region* below = it == regions_.begin() ? nullptr : std::prev(it)->get();
  if (!above || !below) return above ? above : below;
  if (address - below->base < below->size) return below;
  return address - (below->base + below->size) <= above->base - address ? below : above;
}

std::string AddressSpace::describe(uint64_t address) {
  char text[96];
  Region* r = nearest(address);
  // Beyond a megabyte, naming a neighbour misleads more than it explains.
  constexpr uint64_t near = uint64_t(1) << 20;
  const bool inside = r && (address - r->base < r->size || address == r->base);
  uint64_t away = 0;
  if (r && !inside) away = address < r->base ? r->base - address : address - (r->base + r->size);
  if (!r || away > near) {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    if (address < 4096) return std::string(text) + " (a null pointer)";
    const bool of_process = shared_ && !on_device_side(address) && address < device_base << 1;
    return std::string(text) +
           (of_process ? " (host memory that CUDA did not allocate)" : " (no allocation)");
  }
  const std::string name = r->name.empty() ? to_string(r->owner) : r->name;
  const auto n = static_cast<unsigned long long>(away);
  std::string tail;
  if (address < r->base) {
    std::snprintf(text, sizeof text, " - %llu", n);
    tail = text;
    std::snprintf(text, sizeof text, " (%llu byte%s before its start", n, n == 1 ? "" : "s");
  } else {
    std::snprintf(text, sizeof text, " + %llu", static_cast<unsigned long long>(address - r->base));
    tail = text;
    if (inside)
      text[0] = 0;
    else if (away == 0)
      std::snprintf(text, sizeof text, " (just past its end");
    else
      std::snprintf(text, sizeof text, " (%llu byte%s past its end", n, n == 1 ? "" : "s");
  }
  std::string note = text;
  if (r->freed) {
    note += note.empty() ? " (freed" : ", freed";
    if (r->released.line) note += " at " + r->released.file + ":" + std::to_string(r->released.line);
  }
  if (!note.empty()) note += ")";
  return name + tail + note;
}

std::byte* AddressSpace::at(uint64_t address, uint64_t n) {
  Region* r = find(address);
  if (!r || r->freed || !r->data || !r->contains(address, n)) return nullptr;
  return r->data + (address - r->base);
}

std::byte* AddressSpace::copyable(uint64_t address, uint64_t n) {
  const Region* r = find(address);
  const bool own = r && !(r->freed && r->adopted);  // memory that was registered once is the process's again
  if (!shared_ || on_device_side(address) || own) return at(address, n);
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace dojo
