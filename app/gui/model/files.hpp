#pragma once
// Files outside the app: the original of a student's file, the person's own editor.
#include <filesystem>
#include <string>
#include <vector>

namespace dojo::gui {

/// The text that a student's file had at first: from the repository (git), else from the copy that was
/// kept when the app first saw it. Returns an empty string, or why there is none.
std::string original_text(const std::filesystem::path& root, const std::filesystem::path& file,
                          const std::filesystem::path& data, std::string& text);
/// Keeps a copy of a file as first seen, if there is none yet.
void keep_original(const std::filesystem::path& file, const std::filesystem::path& data);

/// The program that opens a file for editing: $VISUAL, $EDITOR when it opens a window of its own, else the
/// first of code, codium, gedit, kate, … that is installed. Empty: none found.
std::string find_editor();
/// The argument list that opens `file` at `line` with an editor command (which may hold arguments of its own).
std::vector<std::string> editor_arguments(const std::string& command, const std::filesystem::path& file, int line);
/// Starts a program on its own, without waiting. Returns an empty string, or what went wrong.
std::string start_detached(const std::vector<std::string>& args);

}  // namespace dojo::gui
