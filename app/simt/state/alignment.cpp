#include "simt/state/alignment.hpp"

#include <fmt/format.h>

#include "simt/state/access.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"

namespace dojo::simt {

void misaligned(Exec& x, const Inst* p, uint64_t address, uint32_t lane, ptx::Space space,
                const Alignment& rule) {
  Inst element = *p;
  element.width = uint8_t(rule.element), element.count = 1;
  const bool shared = space == ptx::Space::shared;
  const uint64_t offset = shared ? offset_in_cta(address) : address;
  const std::string name =
      shared ? shared_name(x, &element, offset, rule.element) : element_name(x, p, address, rule.element);
  const std::string place =
      shared ? fmt::format("shared memory + {}", offset) : fmt::format("0x{:x}", address);
  stop(x, finding(x, p, FindingKind::misaligned,
                  fmt::format("{} {}. Its address, {}, is not a multiple of {} bytes. {}", rule.what, name,
                              place, rule.bytes, rule.remedy),
                  int(lane)));
}

}  // namespace dojo::simt
