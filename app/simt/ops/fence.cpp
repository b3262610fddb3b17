// Fences, and hints that change nothing here: prefetches, discards.
#include "simt/checks/shadow.hpp"
#include "simt/ops/ops.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace {

const Inst* fence(const Inst* p, Exec& x) {
  if (!x.block) return p + 1;
  if (x.checks) note_fence(x, x.mask, Scope(p->imm));
  if (x.checks && p->flags) note_proxy_fence(x, x.mask);
  if (p->sub) log_invalidation(x, p);
  return p + 1;
}
void fence_decode(Decoder& d) {
  const bool wide = d.ins->meaning.scope >= ptx::Scope::cluster;
  Inst& i = d.emit(fence);
  i.sub = wide;
  i.imm = uint64_t(scope_of(*d.ins));
  i.flags = d.has("proxy") && (d.has("async") || d.has("async::generic"));
}
const Inst* skip(const Inst* p, Exec&) { return p + 1; }
void skip_decode(Decoder& d) {
  if (d.has("tensormap")) d.refuse("TMA tensor maps are not modelled: cp.async.bulk in one dimension is");
  d.emit(skip);
}

constexpr Family kFenceFamilies[] = {
    {"membar", c_any, fence_decode},   {"fence", c_any, fence_decode},  {"prefetch", c_any, skip_decode},
    {"prefetchu", c_any, skip_decode}, {"discard", c_any, skip_decode}, {"applypriority", c_any, skip_decode},
};

}  // namespace

std::span<const Family> fence_families() { return kFenceFamilies; }

}  // namespace dojo::simt
