#pragma once
// The student files as they were when the student first saw them, so that a reset has something to go back
// to.
#include <filesystem>
#include <optional>
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// Keeps a copy of a step's file below `data` (the data folder; empty: nothing is kept), if there is none yet
/// and the file is still as it was delivered.
void keep_original(const Catalog&, const Step&, const std::filesystem::path& data);
/// Whether a text is the file as it was delivered: the copy kept below `data`, or original_text().
bool as_delivered(const Catalog&, const Step&, const std::filesystem::path& data, const std::string& text);
/// The text that the file had at first: of a handout's starters/; as an installed program delivered it; from
/// git, as of the newest commit that is not the student's own (one that touches other parts than the labs,
/// else the one that added the file); else the copy kept below `data`.
std::optional<std::string> original_text(const Catalog&, const Step&, const std::filesystem::path& data);

/// Whether a run that ended so says nothing of a student whose file is still as it was delivered.
bool excused_if_untouched(Status);

/// The text that a course hands out and grades against: of a handout's starters/, of an installed program, or
/// of the checkout's last commit, so that what a lecturer solves in the checkout changes no grade; else the
/// file's own, such as a new step's.
std::optional<std::string> starter_text(const Catalog&, const Step&);
/// Empty; or one line that says why starter_text() cannot tell the last commit's files from those that were
/// edited since: the checkout has a .git that git does not read.
std::string starters_problem(const Catalog&);

/// The line of the first TODO when the text is the file as it was delivered: the step is not started. Else 0.
int untouched_todo(const Catalog&, const Step&, const std::filesystem::path& data, const std::string& text);

}  // namespace dojo::run
