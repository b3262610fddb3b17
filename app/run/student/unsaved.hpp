#pragma once
// Text that the window keeps as a draft and that its file does not have yet: what the terminal runs or packs
// is older than what the student sees there.
#include <filesystem>
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::run {

/// When the newest draft of a step's file below `data` (the data folder) was kept, "2026-03-14 15:09"; empty
/// when there is none, or the file has its text. The window writes drafts (draft_files.hpp).
std::string unsaved_since(const Catalog&, const Step&, const std::filesystem::path& data);

/// What the terminal says of it, or nothing: "labs/01-reduce/5-sequential.cu: the window holds unsaved text
/// …". `left_out`: what was done without that text, such as "which is not in the zip".
std::string unsaved_words(const Catalog&, const Step&, const std::filesystem::path& data,
                          const std::string& left_out);

}  // namespace dojo::run
