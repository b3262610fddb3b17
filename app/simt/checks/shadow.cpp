// The books of shadow state: tickets of launches, regions' tags, which bytes were written.
#include "simt/checks/shadow.hpp"

#include <algorithm>
#include <mutex>

#include "simt/checks/shadow_bits.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

/// What an address space's shadow state refers to, beyond the regions themselves.
struct Book {
  uint64_t next_ticket = 1;
  struct Launch {
    uint64_t first;
    Dim3 grid, block;
  };
  std::vector<Launch> launches;
};
std::mutex books_lock;
Book& book(AddressSpace& m) {
  static std::map<AddressSpace*, Book> books;
  return books[&m];
}

}  // namespace

uint64_t shadow_ticket(AddressSpace& m) {
  std::lock_guard guard(books_lock);
  Book& b = book(m);
  // A new address space at an old one's place: nothing is shadowed yet.
  bool fresh = true;
  for (const auto& r : m.regions()) fresh &= !r->shadow;
  if (fresh) b = {};
  return b.next_ticket;
}
void set_shadow_ticket(AddressSpace& m, uint64_t t) {
  std::lock_guard guard(books_lock);
  book(m).next_ticket = t;
}
void note_launch_tickets(AddressSpace& m, uint64_t first, const Dim3& grid, const Dim3& block) {
  std::lock_guard guard(books_lock);
  book(m).launches.push_back({first, grid, block});
}
void clear_all_shadow(AddressSpace& m) {
  std::lock_guard guard(books_lock);
  book(m).launches.clear();
  for (const auto& r : m.regions())
    if (auto* s = static_cast<RegionShadow*>(r->shadow.get())) {
      s->write.allocate(s->write.size);
      s->read1.allocate(s->read1.size);
      s->read2.allocate(s->read2.size);
    }
}

RegionShadow* global_shadow(Region& r, uint32_t grain) {
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (s && s->grain <= grain && s->write.size) return s;
  std::shared_ptr<RegionShadow> n =
      s ? std::static_pointer_cast<RegionShadow>(r.shadow) : std::make_shared<RegionShadow>();
  if (!s) {
    n->init.allocate(r.size / 64 + 4);
  }
  // Tags of an older, coarser grain are given up: only those of launches in flight matter, and there are
  // none.
  n->grain = s && s->write.size ? std::min(grain, s->grain) : grain;
  const size_t count = r.size / n->grain + 64;
  n->write.allocate(count);
  n->read1.allocate(count);
  n->read2.allocate(count);
  r.shadow = n;
  return n.get();
}

void prepare_global_shadow(AddressSpace& m, uint32_t grain) {
  for (const auto& r : m.regions())
    if (!r->freed && r->data && r->on_device() && r->owner != Owner::constant) global_shadow(*r, grain);
}

void mark_initialized(Region& r, uint64_t offset, uint64_t bytes) {
  if (r.initialized || offset > r.size) return;
  bytes = std::min(bytes, r.size - offset);
  if (offset == 0 && bytes == r.size) {
    r.initialized = true;
    return;
  }
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (!s) {
    auto n = std::make_shared<RegionShadow>();
    n->init.allocate(r.size / 64 + 4);
    r.shadow = n;
    s = n.get();
  }
  set_initialized(*s, offset, bytes);
}

bool last_writer(AddressSpace& m, uint64_t address, Dim3* block, Dim3* thread) {
  Region* r = m.find(address);
  if (!r || r->freed) return false;
  auto* s = static_cast<RegionShadow*>(r->shadow.get());
  if (!s || !s->write.size) return false;
  const uint64_t tag = s->write[(address - r->base) / s->grain];
  if (!tag) return false;
  std::lock_guard guard(books_lock);
  const Book::Launch* launch = nullptr;
  for (const auto& l : book(m).launches)
    if (Tag::ticket(tag) >= l.first && Tag::ticket(tag) < l.first + l.grid.count()) launch = &l;
  if (!launch) return false;
  *block = launch->grid.at(Tag::ticket(tag) - launch->first);
  *thread = launch->block.at(Tag::thread(tag));
  return true;
}

ShadowCopy save_shadow(const Region& r, bool tags) {
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (!s) return {};
  auto copy = std::make_shared<RegionShadow>();
  copy->grain = s->grain;
  copy->in_flight = s->in_flight;
  if (tags)
    for (auto [to, from] :
         {std::pair{&copy->write, &s->write}, {&copy->read1, &s->read1}, {&copy->read2, &s->read2}}) {
      to->allocate(from->size);
      std::memcpy(to->data, from->data, from->size * sizeof(uint64_t));
    }
  copy->init.allocate(s->init.size);
  if (!r.initialized) std::memcpy(copy->init.data, s->init.data, s->init.size * 8);
  return copy;
}
void restore_shadow(Region& r, ShadowCopy copy) {
  if (!copy) return void(r.shadow.reset());
  if (!copy->write.size) {
    const size_t count = r.size / copy->grain + 64;
    copy->write.allocate(count);
    copy->read1.allocate(count);
    copy->read2.allocate(count);
  }
  r.shadow = copy;
}

}  // namespace dojo::simt
