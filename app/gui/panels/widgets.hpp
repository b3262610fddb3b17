#pragma once
// Small parts that all panels draw with: icons, texts, buttons, splitters, tables.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gui/theme.hpp"

namespace dojo::gui {

enum class Icon {
  check,
  cross,
  ring,
  half,
  play,
  stop,
  menu,
  warning,
  info,
  bulb,
  fit,
  table,
  picture,
  question,
  chevron_left,
  chevron_right,
  chevron_down,
  eye,
  lock,
  pencil,
  arrow_right,
  dot
};
/// Draws an icon in a square of side `size` around a centre.
void draw_icon(ImDrawList*, Icon, ImVec2 centre, float size, ImU32 colour);

/// Text with a font and colour at the cursor.
void text_in(ImFont*, ImU32, const std::string&);
/// Wrapped text with a font and colour.
void text_wrapped_in(ImFont*, ImU32, const std::string&);
/// Text at a place of a draw list, cut with an ellipsis when wider than `width` (0: never).
void text_at(ImDrawList*, ImFont*, ImVec2, ImU32, const std::string&, float width = 0);
/// The same in as many lines as it needs.
void text_wrapped_at(ImDrawList*, ImFont*, ImVec2, ImU32, const std::string&, float width);
ImVec2 text_size(ImFont*, const std::string&);
/// The text in lines of at most `width`, broken between words; a word that is wider stands alone.
std::vector<std::string> wrapped_lines(ImFont*, const std::string&, float width);
/// The text cut to a width, with an ellipsis.
std::string fitted(ImFont*, const std::string&, float width);

/// A button with words.
bool plain_button(const char* label, ImVec2 size = {0, 0});
/// A square button with an icon and a tooltip.
bool icon_button(const char* id, Icon, const std::string& tooltip, bool on = false, float side = 0);
/// The one main button of a place, in the accent colour.
bool primary_button(const char* label, Icon, bool enabled = true, float width = 0);
/// One option of a group, as a rounded button.
bool pill(const char* label, bool on);
/// A tab: a label that is underlined when it is chosen.
bool tab_link(const char* label, bool on);
/// Starts a new line when the next item of this width does not fit.
void wrap_next(float width);
/// A link-like text; true when clicked.
bool link(const std::string& label, ImU32 colour = 0);

/// A bar between two parts that can be dragged. `value` moves with it (pixels × `unit`), between lo and hi.
/// Returns true while it changes. Double-click resets to `normal`.
bool splitter(const char* id, bool vertical, float length, float* value, float unit, float lo, float hi,
              float normal);

/// BeginCombo with a chevron of our own; end with ImGui::EndCombo().
bool begin_combo(const char* id, const std::string& shown, float width);

/// A heading of a section inside a panel.
void section(const std::string& title);
/// Tooltip with wrapped text for the last item.
void tip(const std::string& text);
/// A tip under the last item, so that it covers none of those beside it; above it where there is no room.
void tip_below(const std::string& text);
/// Tooltip with lines of text beside the mouse; "" shows none.
void tip_at_mouse(const std::string& text);
/// A chip with a key's name.
void key_cap(const std::string& keys);
/// Draws the header row of a table whose columns are set up. Bit c of the mask right-aligns column c, as its
/// numbers are.
void table_heads(unsigned right);
/// A right-aligned number in a table's cell.
void number_cell(ImFont*, ImU32, const std::string&);
/// The hook before a row of code that goes on with the line above; `at`: the row's upper left corner.
inline void continuation_hook(ImDrawList* d, ImVec2 at, float row, float letter) {
  const float x = std::floor(at.x), y = std::floor(at.y + row * 0.56f), end = x + letter * 1.4f,
              a = letter * 0.42f, w = std::max(1.0f, px(1.3f));
  const ImU32 c = theme().muted;
  d->AddLine({x, at.y + row * 0.2f}, {x, y}, c, w);
  d->AddLine({x, y}, {end, y}, c, w);
  d->AddLine({end, y}, {end - a, y - a}, c, w);
  d->AddLine({end, y}, {end - a, y + a}, c, w);
}
/// Numbers below columns: every one, every second, fourth, eighth or sixteenth, so that two do not run
/// together. `column`, `widest` number and `between` two of them, in pixels.
inline int every_number(float column, float widest, float between) {
  int every = 1;
  while (every < 16 && column * float(every) < widest + between) every *= 2;
  return every;
}
/// Vertical space.
void gap(float at_scale_1);

}  // namespace dojo::gui
