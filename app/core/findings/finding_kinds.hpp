#pragma once
// The kinds of findings. finding_kinds.def has all that is known of each.
#include <cstdint>
#include <span>
#include <string_view>

namespace dojo {

enum class FindingKind : uint8_t {
  none,  ///< a diagnostic that names no kind; its word is empty
#define DOJO_FINDING_KIND(kind, origin, as_written, error, title) kind,
#include "core/findings/finding_kinds.def"
#undef DOJO_FINDING_KIND
};

enum class FindingOrigin : uint8_t {
  program,  ///< a check found it in the program
  run,      ///< how a run ended, or why there was none
  machine,  ///< the machine or its load ended the run: another try may end otherwise
  remark,   ///< of notes and warnings about a run
  exec,     ///< of `warpdojo exec` only
  inner     ///< never in a report
};

struct FindingKindInfo {
  FindingKind kind;
  const char* word;
  FindingOrigin origin;
  bool as_written;  ///< is an error that shows only in a program compiled as it is written, too
  int cuda_error;   ///< what a GPU returns after it
  const char* title;
};

/// Without `none`.
std::span<const FindingKindInfo> finding_kinds();
/// The row of a kind. Of `none`: no word, no title, origin `remark`, launch_failure.
const FindingKindInfo& finding_info(FindingKind);
/// The word of reports and JSON.
const char* to_string(FindingKind);
/// The kind of a word; `none` where no kind has it, as in a report of a later version.
FindingKind finding_kind(std::string_view word);

}  // namespace dojo
