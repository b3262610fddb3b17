#pragma once
// Lecture mode: one slide fills the window; large type, high contrast, nothing that jumps.
#include <vector>

#include "gui/model/text/markdown.hpp"
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Plots;
class SlowMotionPanel;
class SourcePanel;

/// Pixels that the notes of a slide take; 0 where they are hidden.
float slide_notes_height(const Session&);

class LectureView {
 public:
  LectureView(WindowState& w, Plots& plots, SlowMotionPanel& motion, SourcePanel& source)
      : s_(w.s), window_(w), plots_(plots), motion_(motion), source_(source) {}
  void draw();
  /// Ends the lecture: the next slide that is drawn scrolls to its line again.
  void leave() { slide_at_ = -1; }

 private:
  void keys();
  void place(const char* name, float x0, float y0, float x1, float y1);
  std::vector<MdBlock> words() const;
  void draw_body(float top, float bottom);
  void draw_shown(ImVec2 at, ImVec2 size);
  void draw_question(ImVec2 at, ImVec2 size);
  void draw_notes();
  void draw_foot();

  Session& s_;
  WindowState& window_;
  Plots& plots_;
  SlowMotionPanel& motion_;
  SourcePanel& source_;
  int slide_at_ = -1;   // the slide that was scrolled to its line
  bool fresh_ = false;  // it is drawn for the first time
};

}  // namespace dojo::gui
