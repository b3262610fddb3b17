#include "run/verdict/causes.hpp"

#include <algorithm>

#include "core/compile/tokens.hpp"
#include "run/step/poison.hpp"

namespace dojo::run {
namespace {

/// The line where a source first names a function; 0: nowhere.
int line_of(std::string_view source, const std::string& function) {
  for (const compile_detail::Token& t : compile_detail::tokenize(source).tokens)
    if (t.is(function)) return t.line;
  return 0;
}

}  // namespace

void put_causes_first(std::vector<Diagnostic>& all) {
  std::stable_partition(all.begin(), all.end(), [](const Diagnostic& d) {
    return d.severity == Severity::error && d.kernel.empty() &&
           (d.kind == FindingKind::wrong_space || d.kind == FindingKind::out_of_bounds ||
            d.kind == FindingKind::use_after_free);
  });
}

void note_missing_launch(RunReport& r, const std::string& entry, const std::string& file,
                         std::string_view source) {
  const auto& wrong = r.check.mismatches;
  if (!r.launches.empty() || r.check.wrong <= 0 || has_errors(r.diagnostics) ||
      !std::all_of(wrong.begin(), wrong.end(), never_written))
    return;
  r.diagnostics.push_back({.severity = Severity::warning,
                           .kind = FindingKind::launch_error,
                           .where = {file, line_of(source, entry), 0},
                           .message = entry + "() launched no kernel. Launch one with "
                                              "kernel<<<blocks, threads per block>>>(arguments)."});
}

}  // namespace dojo::run
