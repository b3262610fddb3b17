#pragma once
// Fonts of scripts that Inter and JetBrains Mono do not have: those that this machine has installed.
#include <string>
#include <vector>

namespace dojo::gui {

/// A font in a file, which may hold several: `index` counts from 0.
struct FontFile {
  std::string path;
  int index = 0;
  bool operator==(const FontFile&) const = default;
};

/// Files in the places where Debian, Fedora and others install fonts of many scripts, as far as they exist.
std::vector<FontFile> usual_script_fonts();

/// The installed font that has most of these code points, by fontconfig's `fc-match`; an empty path where
/// there is no such program, or where the font has no outlines (colour bitmaps). At most 64 are asked for.
FontFile installed_font_for(const std::vector<unsigned>& code_points);

/// Is this the content of a TrueType or OpenType file whose font `index` has outlines? ImGui ends the
/// program at others.
bool has_outlines(const std::string& bytes, int index);

}  // namespace dojo::gui
