#pragma once
// How long the references took in several recordings of one model of GPU: what such GPUs agree upon, and how
// far they differ.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/recordings/recording.hpp"

namespace dojo::run {

/// A table of microseconds: a row for each step and size, a column for each recording.
struct RecordedTimes {
  std::vector<std::string> recordings;  ///< "2026-01-31 1234567": date and commit
  /// By step ("reduce/5-sequential") and size ("n=33554432"); 0: that recording hasn't this run.
  std::map<std::pair<std::string, std::string>, std::vector<double>> us;
};

/// "k=8;n=8": a size as the table writes it.
std::string size_name(const Size&);
/// Reads a table. Throws Error naming file and line.
RecordedTimes load_times(const fs::path&);
/// Writes one, atomically. Throws Error when the file can't be written.
void save_times(const fs::path&, const RecordedTimes&);
/// Adds a recording as a column: the references' times of the steps and labs named, or of all that passed
/// when none is.
void add_times(RecordedTimes&, const Recording&, const std::vector<std::string>& steps);
/// "rec:h100" has its table beside it: assets/recordings/h100-times.csv.
fs::path times_path(const std::string& device);

}  // namespace dojo::run
