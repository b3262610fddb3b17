#pragma once
// Which source each report of a recording ran: a recorded time says nothing of a file that has changed since.
// Beside assets/recordings/h100.json stands h100-sources.txt: a line per step, with the fingerprint
// (core/fingerprint.hpp) of the reference's file.
#include <cstdint>
#include <map>
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::run {

using RecordedSources = std::map<std::string, uint64_t>;  ///< by step: "reduce/5-sequential"

/// Reads a list; none where there is no file. Throws Error naming file and line.
RecordedSources load_sources(const fs::path&);
/// "rec:h100" has its list beside it: assets/recordings/h100-sources.txt.
fs::path sources_path(const std::string& device);
/// Why a recorded time does not belong to the reference's present file; empty: it does, or the list does not
/// name the step.
std::string other_source(const RecordedSources&, const std::string& step, const fs::path& reference);

}  // namespace dojo::run
