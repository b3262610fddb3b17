#pragma once
// Which parts of the window changed since the frame before: only they are drawn again. Under software
// rendering a whole frame costs tens of milliseconds, a moved progress bar less than one.
#include <imgui.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dojo::gui {

struct DamageRect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< in the draw data's units
  float area() const { return (x1 - x0) * (y1 - y0); }
};

/// The clip rectangle that draws in `part` what a whole frame would draw there of a command clipped to
/// `clip`, on a canvas of this height. ImGui's OpenGL backend cuts the fractions off a corner and off a size,
/// each alone: of the clip [260.6, 320) it would draw 59 columns, and column 319 would keep what the frame
/// before had there.
ImVec4 clip_to_part(const ImVec4& clip, const DamageRect& part, float height);

/// Compares each frame's triangles with those of the frame before.
class Damage {
 public:
  /// At most this many rectangles; near ones are joined.
  static constexpr size_t most = 6;
  /// The rectangles outside of which both frames look the same, on whole cells of a grid; empty: nothing
  /// changed. `all`: everything is to be drawn (first frame, another size, most of the window changed).
  std::vector<DamageRect> next(const ImDrawData&, bool* all);
  /// The next frame is drawn whole (a new font texture, an uncovered window).
  void forget() { known_ = false; }

 private:
  struct Command {
    ImVec4 clip;
    ImTextureID texture;
    unsigned vertex_offset, index_offset, count;
  };
  struct List {
    std::string owner;
    std::vector<Command> commands;
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
  };
  static void copy(const ImDrawList&, List&);
  void compare(const List&, const List&);
  void compare_all();
  std::vector<DamageRect> marked() const;
  void touch(const List&, const Command&, unsigned from, unsigned to);
  void touch_all(const List&);

  std::vector<List> before_, now_;
  std::vector<unsigned char> cells_;
  int columns_ = 0, rows_ = 0;
  ImVec2 pos_{}, size_{};
  bool known_ = false;
};

}  // namespace dojo::gui
