#pragma once
// What ImGui drew, as vectors: shapes become paths, glyphs become text in the same fonts. For PDF and SVG.
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <string>

namespace dojo::gui {

/// A part of the screen, in pixels from the top left.
struct Part {
  float x = 0, y = 0, width = 0, height = 0;
};

/// An SVG document of a part of what was drawn, on a ground. The draw data must have been made without
/// anti-aliasing (vector_style), with the fonts of the current ImGui context. Throws Error when it can't be
/// made.
std::string to_svg(const ImDrawData&, const Part&, ImU32 ground);

/// A PDF of several pages. Throws Error when the file can't be written.
class PdfFile {
 public:
  explicit PdfFile(const std::filesystem::path&);
  ~PdfFile();
  /// A page of the part's size; 1600 pixels are 960 points.
  void page(const ImDrawData&, const Part&, ImU32 ground);
  /// The words of the document's outline for the page that comes next.
  void heading(const std::string&);
  /// Puts the file in its place, in one step.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Switches the current context's anti-aliasing fringes off: they are triangles that fade, and mean nothing
/// in a vector file.
void vector_style();

}  // namespace dojo::gui
