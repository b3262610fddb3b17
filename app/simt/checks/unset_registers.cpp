#include "simt/checks/unset_registers.hpp"

#include <fmt/format.h>

#include "simt/checks/shadow.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

const Inst* check_set(const Inst* p, Exec& x) {
  const bool host = x.frame->code->host;
  if (!x.checks && !host) return p + 1;
  const uint64_t unset = unset_value(p->width * 8);
  const size_t stride = p->width >= 8 ? 8 : 4, compared = std::min<size_t>(p->width, 8);
  DOJO_FOR_LANES(lane, host ? 1u : x.mask) {
    if (std::memcmp(x.frame->r + p->a + lane * stride, &unset, compared) != 0) continue;
    // The place stands for the access: an instruction of this kind has no counters.
    if (!host && !x.machine->wanted(finding_key(Check::register_unset, x.frame->code->index, p->ptx))) break;
    Diagnostic d = finding(x, p, FindingKind::uninitialized,
                           fmt::format("{} uses a variable that has no value yet. Give it one where "
                                       "it is declared.",
                                       subject(x, lane)),
                           int(lane));
    d.facts = {.read = true, .variable = true, .who = subject(x, lane)};
    if (host) stop(x, std::move(d));
    emit(x, std::move(d));
    break;
  }
  return p + 1;
}

}  // namespace dojo::simt
