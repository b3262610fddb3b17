#include "core/findings/finding_kinds.hpp"

#include "core/device.hpp"

namespace dojo {
namespace {

// The first row is `none`, so that a kind is its row's index.
constexpr FindingKindInfo finding_rows[] = {
    {FindingKind::none, "", FindingOrigin::remark, false, cuda_error::launch_failure, ""},
#define DOJO_FINDING_KIND(kind, origin, as_written, error, title) \
  {FindingKind::kind, #kind, FindingOrigin::origin, as_written, cuda_error::error, title},
#include "core/findings/finding_kinds.def"
#undef DOJO_FINDING_KIND
};

}  // namespace

std::span<const FindingKindInfo> finding_kinds() { return std::span(finding_rows).subspan(1); }

const FindingKindInfo& finding_info(FindingKind k) { return finding_rows[size_t(k)]; }

const char* to_string(FindingKind k) { return finding_info(k).word; }

FindingKind finding_kind(std::string_view word) {
  for (const FindingKindInfo& k : finding_kinds())
    if (word == k.word) return k.kind;
  return FindingKind::none;
}

}  // namespace dojo
