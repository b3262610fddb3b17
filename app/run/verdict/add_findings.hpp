#pragma once
// What the machine found, as a report shows it.
#include <string_view>
#include <vector>

#include "core/report.hpp"

namespace dojo::run {

/// Adds findings that the report does not have yet. `source`, the text of the student's file, gives them
/// names and tells early returns from barriers in branches.
void add_findings(RunReport&, std::vector<Diagnostic> more, std::string_view source);

}  // namespace dojo::run
