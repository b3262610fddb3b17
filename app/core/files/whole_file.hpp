#pragma once
// Whole files: read, and replaced in one step.
#include <filesystem>
#include <optional>
#include <string>

namespace dojo {

/// The whole file, or nothing when it can't be read.
std::optional<std::string> read_file(const std::filesystem::path&);
/// The whole file, or an empty text when it can't be read.
inline std::string read_or_empty(const std::filesystem::path& file) { return read_file(file).value_or(""); }

/// Writes a whole file or nothing: to a temporary name beside it, flushed to the disk, then renamed. Makes
/// the folder; a link is followed, permissions are kept. Empty on success, else one line that says what went
/// wrong.
std::string replace_file(const std::filesystem::path&, const std::string& text);
/// The same, for callers with words of their own.
inline bool write_atomically(const std::filesystem::path& p, const std::string& text) {
  return replace_file(p, text).empty();
}

}  // namespace dojo
