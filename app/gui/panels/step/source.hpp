#pragma once
// The student's file and the reference, with counters beside each line and the compiled code under them.
#include <functional>

#include "gui/model/text/code_under.hpp"
#include "gui/model/text/diff.hpp"
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel;
class InstructorPanel;

class SourcePanel {
 public:
  SourcePanel(WindowState& w, BriefPanel& brief, InstructorPanel& instructor)
      : s_(w.s), window_(w), brief_(brief), instructor_(instructor) {}
  void draw();
  void reference();

 private:
  void file_banner();  ///< says that the file is gone, or changed by another program
  void tools();
  void find_bar();
  /// Draws the compiled code beside or below the text, which `draw` draws in the size it is given. In
  /// code_pane.cpp.
  void with_code(bool reference, TextBuffer&, const std::function<void(ImVec2)>& draw);
  void code_pane(bool reference, TextBuffer&, ImVec2 size);
  void code_choice(bool reference, const CodeUnder*, int line);
  void code_rows(bool reference, TextBuffer&, const CodeUnder&);
  void go_to_line(bool reference, TextBuffer&, int line);  ///< of the source, from its compiled code
  void differences();

  Session& s_;
  WindowState& window_;
  BriefPanel& brief_;
  InstructorPanel& instructor_;
  char find_[128] = {};
  bool find_focus_ = false;
  bool show_diff_ = false;
  std::vector<DiffLine> diff_;
  uint64_t diff_version_ = 0;
  std::string diff_of_;
  CodeRows under_;  // rows of the compiled code, and what they are of
  std::string under_of_;
  int under_line_ = 0;  // the source line that they were last scrolled to
};

}  // namespace dojo::gui
