#pragma once
// Source text with line numbers, a heat column, marks for errors and findings, and, when writable, a plain
// editor. The text, caret and undo history are the TextBuffer's.
#include <imgui.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gui/model/highlight.hpp"
#include "gui/model/line_heat.hpp"
#include "gui/model/text_buffer.hpp"

namespace dojo::gui {

struct CodeSpec {
  bool writable = false;
  const std::map<int, LineHeat>* heat = nullptr;                 ///< by line from 1
  const std::map<int, std::vector<LineMark>>* marks = nullptr;
  std::function<std::string(int line)> tooltip;                  ///< of the heat column
  std::string heat_title;
  int go_line = 0;                                               ///< scroll there and flash, this frame
  bool take_focus = false;
  int at_line = 0;                                               ///< where execution stands: lit, and kept in sight
  const std::set<int>* breakpoints = nullptr;
  std::function<void(int line)> gutter_clicked;
};

class CodeView {
 public:
  /// Draws into the rest of the window. Returns true when the text was changed.
  bool draw(const char* id, TextBuffer&, const CodeSpec&, ImVec2 size);
  bool focused() const { return focused_; }

 private:
  bool input(TextBuffer&, bool writable, int page);
  Caret at(const TextBuffer&, ImVec2 pos) const;
  float x_of(const std::string& line, int column) const;

  std::vector<std::vector<Run>> runs_;
  uint64_t version_ = 0;
  const TextBuffer* of_ = nullptr;
  bool focused_ = false, dragging_ = false, scroll_to_caret_ = false;
  int flash_line_ = 0, at_line_ = 0;
  double flash_until_ = 0;
  ImVec2 origin_;
  float advance_ = 8, row_ = 18, gutter_ = 60;
};

}  // namespace dojo::gui
