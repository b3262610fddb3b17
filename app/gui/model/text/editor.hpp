#pragma once
// The person's own editor.
#include <filesystem>
#include <string>
#include <vector>

namespace dojo::gui {

/// The program that opens a file for editing: $VISUAL, $EDITOR when it opens a window of its own, else the
/// first of code, codium, gedit, kate, … that is installed. Empty: none found.
std::string find_editor();
/// The argument list that opens `file` at `line` with an editor command (which may hold arguments of its
/// own).
std::vector<std::string> editor_arguments(const std::string& command, const std::filesystem::path& file,
                                          int line);
/// Starts a program on its own, without waiting. Returns an empty string, or what went wrong.
std::string start_detached(const std::vector<std::string>& args);

}  // namespace dojo::gui
