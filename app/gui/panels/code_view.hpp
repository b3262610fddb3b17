#pragma once
// Source text with line numbers, a heat column, marks for errors and findings, and, when writable, a plain
// editor. The text, caret and undo history are the TextBuffer's.
#include <imgui.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "gui/model/text/highlight.hpp"
#include "gui/model/text/line_heat.hpp"
#include "gui/model/text/source_pages.hpp"
#include "gui/model/text/text_buffer.hpp"

struct ImGuiWindow;

namespace dojo::gui {

/// Line distance of a source on a slide, in heights of the type: close, so that many lines fit in large type.
constexpr float slide_line_distance = 1.12f;

/// Bytes of a text after something was pasted. A file may be a little longer and still opens (store.hpp).
constexpr size_t most_pasted = 4'000'000;

struct CodeSpec {
  bool writable = false;
  bool wrap = false;            ///< long lines continue in further rows, marked by a hook; nothing scrolls
                                ///< sideways
  float line_distance = 1.42f;  ///< in heights of the type
  bool says_more = false;       ///< says at the foot how many rows are below
  bool whole_rows = false;      ///< shows no row that an edge would cut
  const std::map<int, LineHeat>* heat = nullptr;  ///< by line from 1
  const std::map<int, std::vector<LineMark>>* marks = nullptr;
  std::function<std::string(int line)> tooltip;  ///< of the heat column
  std::string heat_title;
  std::string find;  ///< text that is marked wherever it occurs
  int go_line = 0;   ///< scroll there and flash, this frame
  bool take_focus = false;
  int at_line = 0;  ///< the line that executes: highlighted and kept visible
  const std::set<int>* breakpoints = nullptr;
  std::function<void(int line)> gutter_clicked;
};

class CodeView {
 public:
  /// Draws into the rest of the window. Returns true when the text was changed.
  bool draw(const char* id, TextBuffer&, const CodeSpec&, ImVec2 size);
  bool focused() const { return focused_; }
  /// In the last frame, was something pasted that would make the text longer than the window edits?
  bool refused_paste() const { return refused_paste_; }
  const ImGuiWindow* window() const { return window_; }
  /// The text's rows in the last frame, and how many of them were on the screen.
  const SourceSheet& sheet() const { return sheet_; }
  int rows_shown() const { return shown_; }
  /// Scrolls by rows (down: above zero) in the next frame.
  void scroll(float rows) { scroll_rows_ += rows; }
  /// How many rows were below the screen in the last frame.
  int rows_below() const { return below_; }

 private:
  bool input(TextBuffer&, bool writable, int page);
  /// Moves the caret by rows of the screen; a long line has several.
  void by_rows(TextBuffer&, int rows, bool select);
  void set_rows(const TextBuffer&, const CodeSpec&, float width);
  void draw_text(const TextBuffer&, const CodeSpec&, int first, int last, ImVec2 win, ImVec2 win_size);
  void draw_gutter(const TextBuffer&, const CodeSpec&, int first, int last, ImVec2 win, float height,
                   bool hovered);
  void draw_over(const CodeSpec&);
  /// Says how many rows are below; `corner`: the lower right one of the view with its strip.
  void draw_below(ImVec2 corner) const;
  /// A tip with the code point of the character under the mouse, where no font has it.
  void say_unknown(const TextBuffer&) const;
  void take_mouse(TextBuffer&, const CodeSpec&, bool hovered);
  void keep_in_sight(TextBuffer&, const CodeSpec&, ImVec2 win_size);
  /// After rows changed at one text (another width, type or place in the window), the line that was at the
  /// top is there again.
  void keep_top(const TextBuffer&);
  Caret at(const TextBuffer&, ImVec2 pos) const;
  /// The row of a place in the text, and the first row of a line.
  int row_of(int line, int column) const;
  int row_of(int line) const { return first_row_[size_t(line)]; }
  /// Pixels from the text's left edge to a column, in a row.
  float x_of(const TextBuffer&, int row, int column) const;

  std::vector<std::vector<Run>> runs_;
  uint64_t version_ = 0;
  const TextBuffer* of_ = nullptr;
  SourceSheet sheet_;
  std::vector<int> first_row_;  ///< by line from 0
  std::tuple<const TextBuffer*, uint64_t, int, float>
      set_of_{};  ///< inputs of sheet_: text, version, columns, column width
  const ImGuiWindow* window_ = nullptr;
  /// The place in the text at the view's top, and the rows it was read from, with the scroll position there.
  struct Top {
    Caret place;
    float rest = 0;  ///< of a row, above the view
    float scroll = 0, row = 0;
    const ImGuiWindow* window = nullptr;
    decltype(set_of_) rows;
  } top_;
  bool refused_paste_ = false, focused_ = false, dragging_ = false, scroll_to_caret_ = false, grew_ = false;
  int flash_line_ = 0, at_line_ = 0, shown_ = 0, below_ = 0, columns_ = 1 << 20;
  double flash_until_ = 0;
  ImVec2 origin_;
  Caret came_to_;  ///< where the last move by rows ended; goal_x_ is the x that it aims at
  float goal_x_ = 0;
  float advance_ = 8, row_ = 18, gutter_ = 60, type_ = 14, scroll_rows_ = 0, heat_w_ = 0;
  int digits_ = 2;
};

}  // namespace dojo::gui
