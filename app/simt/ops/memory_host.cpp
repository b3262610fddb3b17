// ld and st of host code: one lane, in memory that the host can reach.
#include "simt/checks/host_view.hpp"
#include "simt/decode/access_traits.hpp"
#include "simt/ops/memory_moves.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/host_state.hpp"

namespace dojo::simt {
namespace {

using namespace moves;

/// The live region that host code may access here, or null. Notes it as the one that the instruction `p`
/// accessed last.
[[gnu::noinline]] Region* host_region(const Inst* p, Exec& x, uint64_t a, uint32_t bytes, bool write) {
  Region* r = a + bytes > a ? x.memory->find(a) : nullptr;
  if (!r || r->freed || !r->data || !r->contains(a, bytes) || !host_can_access(r->owner)) return nullptr;
  if (write && r->read_only) return nullptr;
  x.host->last_region(p) = r;
  return r;
}
/// Does this load only give a compare-and-swap its expected value? The swap compares again.
bool seeds_swap(const Inst* p, Exec& x) {
  const auto [known, first] = x.host->seeds_swap.try_emplace(p, false);
  if (first) known->second = TraitsReader(x.program->module()).read(x.frame->code->index, p->ptx).seeds_swap;
  return known->second;
}
/// Memory that a kernel or a copy may be using at the moment.
[[gnu::noinline]] void meet_in_flight(const Inst* p, Exec& x, Region& r, uint64_t a, bool write) {
  const uint32_t bytes = uint32_t(p->width) * p->count;
  if (!write) x.host->mapped_reads += bytes;
  const InFlight* f = host_touch(r, a, bytes, write);
  if (f && (p->flags & flag::strong)) {
    // A flag that host and kernel share. A store needs nothing: the kernel runs later.
    if (!write) x.host->calls->poll();
  } else if (f && !(f->writes && !write && seeds_swap(p, x))) {
    Diagnostic d = finding(x, p, FindingKind::race, too_early(element_name(x, p, a, bytes), *f, write), -1);
    d.related.push_back({f->where, f->copy ? "copied here" : "launched here", {}, {}});
    stop(x, std::move(d));
  }
}
/// Where the bytes of an access of host code are.
template <bool Store>
inline std::byte* host_bytes(const Inst* p, Exec& x, uint64_t a, uint32_t bytes) {
  Region* r = x.host->last_region(p);
  // Regions stay where they are when they are freed: what is noted of one needs no clearing.
  if (!r || a - r->base >= r->size || r->size - (a - r->base) < bytes || r->freed || (Store && r->read_only))
      [[unlikely]] {
    r = host_region(p, x, a, bytes, Store);
    if (!r) bad_access(x, p, a, bytes, 0, Store, p->space);
  }
  if (a & (bytes - 1)) [[unlikely]]
    bad_access(x, p, a, bytes, 0, Store, p->space);
  if (r->owner >= Owner::pinned || !r->registered.empty()) [[unlikely]]
    meet_in_flight(p, x, *r, a, Store);
  return r->data + (a - r->base);
}

/// Host code: one lane, any region that the host can reach.
template <int W, bool Store>
const Inst* access_host(const Inst* p, Exec& x) {
  const uint64_t a = lane_address(x, p->a, p->wide & 1, 0) + p->imm;
  lane_by_lane<W, Store>(x, p, 0, host_bytes<Store>(p, x, a, uint32_t(W) * p->count));
  return p + 1;
}
/// The most frequent form: one element, a 64-bit address, a register as wide as the element, no sign.
template <int W, bool Store>
const Inst* access_host_plain(const Inst* p, Exec& x) {
  std::byte* at = host_bytes<Store>(p, x, x.slot<u64a>(p->a)[0] + p->imm, W);
  using Register = std::conditional_t<W == 8, u64a, u32a>;
  Raw<W> v;
  if constexpr (Store) {
    v = Raw<W>(*x.slot<Register>(p->d));
    std::memcpy(at, &v, W);
  } else {
    std::memcpy(&v, at, W);
    *x.slot<Register>(p->d) = v;
  }
  return p + 1;
}

}  // namespace

Handler host_handler(int w, bool store) {
  return by_width(w,
                  [&]<int W>() -> Handler { return store ? access_host<W, true> : access_host<W, false>; });
}
Handler plain_host_handler(int w, bool store) {
  return by_width(w, [&]<int W>() -> Handler {
    return store ? access_host_plain<W, true> : access_host_plain<W, false>;
  });
}

}  // namespace dojo::simt
