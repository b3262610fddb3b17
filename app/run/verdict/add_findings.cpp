#include "run/verdict/add_findings.hpp"

#include <algorithm>

#include "run/verdict/early_return.hpp"
#include "run/verdict/late_writes.hpp"
#include "run/verdict/unset_variables.hpp"

namespace dojo::run {

void add_findings(RunReport& report, std::vector<Diagnostic> more, std::string_view source) {
  for (Diagnostic& d : more) {
    judge_ended_threads(d, source);
    name_unset_variable(d, source);
    const auto same = [&d](const Diagnostic& old) {
      return old.kind == d.kind && old.where == d.where && old.message == d.message;
    };
    if (std::none_of(report.diagnostics.begin(), report.diagnostics.end(), same))
      report.diagnostics.push_back(std::move(d));
  }
  drop_late_writes(report.diagnostics);
}

}  // namespace dojo::run
