// Accesses of shared memory that leave the array they start from.
#include "simt/checks/shared_arrays.hpp"

#include <fmt/format.h>

#include "simt/checks/race_advice.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/launch_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

std::string array_overrun(const Exec& x, const Inst* p, const AccessTraits& t, uint32_t lane, int64_t at,
                          bool write) {
  const int64_t size = p->width, extent = t.array_end - t.array_begin;
  const std::string name = plain_name(t.array), start = subject(x, lane) + (write ? " writes " : " reads ");
  if (const auto names = names_here(x))
    if (const auto array = declared_array(*names, name, uint64_t(extent)))
      if (const std::string element = declared_element(*array, at, uint32_t(size) * p->count);
          !element.empty())
        return start + fmt::format("{}; {} has {}: that is the memory of another __shared__ variable.",
                                   element, name, extents_text(*array));
  if (size && at % size == 0 && extent % size == 0)
    return start + fmt::format(
                       "element {} of {}, which has {}: that is the memory of another __shared__ "
                       "variable.",
                       at / size, name, extent / size);
  return start + fmt::format(
                     "{} {} {} bytes, and {} has {}: that is the memory of another __shared__ "
                     "variable.",
                     name, at < 0 ? "-" : "+", at < 0 ? -at : at, name, extent);
}

}  // namespace

void check_array(Exec& x, const Inst* p, const AccessTraits& t, const Span& span, uint32_t bytes,
                 bool write) {
  DOJO_FOR_LANES(l, span.mask) {
    const uint64_t a = span.at(l);
    if (a >= t.array_begin && a + bytes <= t.array_end) continue;
    if (!x.machine->wanted(finding_key(Check::shared_overrun, p->access, 0, write))) return;
    const int64_t at = int64_t(a) - t.array_begin;
    emit(x, finding(x, p, FindingKind::out_of_bounds, array_overrun(x, p, t, l, at, write), int(l)));
    return;
  }
}

}  // namespace dojo::simt
