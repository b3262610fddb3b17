#pragma once
// Reports as text: the side-by-side table, findings with the line they are about, advice.
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "run/own_program.hpp"

namespace dojo::cli {

/// The whole report of a step, student and reference side by side. `step` (may be null) adds the published
/// figures.
std::string show_report(const Report&, const Catalog*, const Step* step, const std::string& root);
/// "block (1,0,0), thread (5,0,0)", as far as they are known.
std::string thread_words(const std::optional<Dim3>& block, const std::optional<Dim3>& thread);
/// One finding or message, with an excerpt of its line and a caret. Files are looked for below `root`.
std::string show_diagnostic(const Diagnostic&, const std::string& root);
/// Whose run it is: "reduce/5-sequential (student)"; of a program its file alone.
std::string run_title(const Step&, const RunReport&);
/// The kernels of a run as a table, and what its times are. Empty without kernels.
std::string show_kernels(const std::vector<run::KernelRow>&, Source, const ReportDevice&);
/// Copies and kernels by stream on the host's clock, one drawing per run that has any to overlap.
std::string show_timeline(const Report&);
/// Per-line counters of a run, the busiest lines first.
std::string show_lines(const RunReport&, const std::string& root);

}  // namespace dojo::cli
