#pragma once
// A report that was saved by `--json`, shown as if it had just run: a lab of one step that can't run. Its
// report is all there is of the run; the source is shown beside it where its file is still there.
#include <filesystem>
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

struct StoredReport {
  std::filesystem::path file;    ///< absolute
  std::string saved;             ///< when the file was written: "2026-11-25 18:04"
  std::filesystem::path source;  ///< of the student's run, absolute; empty: not found here
  bool source_newer = false;     ///< the source was written after the report: its lines may have moved
  Report report;
  /// "Saved 2026-11-25 18:04; ran on NVIDIA H100, modelled."
  std::string words() const;
  /// The end of that: "NVIDIA H100, modelled".
  std::string ran_on() const;
};

/// Reads a report as `run`, `play`, `profile` and `exec` write it with --json, or a recording of one report.
/// Sources are looked for as the report names them: below the catalog's root, beside the report, or in the
/// folder the program runs in. Throws Error naming the file and what is wrong with it.
StoredReport load_stored(const Catalog&, const std::filesystem::path&);
/// Adds it as a lab named after its file, or finds it there.
const Step& add_stored(Catalog&, const StoredReport&);
bool is_stored(const Step&);

}  // namespace dojo::run
