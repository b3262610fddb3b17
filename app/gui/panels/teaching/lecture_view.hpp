#pragma once
// Lecture mode: one slide fills the window; large type, high contrast, nothing that jumps.
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
  void draw_foot();

  Session& s_;
  WindowState& window_;
  Plots& plots_;
  SlowMotionPanel& motion_;
  SourcePanel& source_;
  int slide_at_ = -1;  // the slide that was scrolled to its line
};

}  // namespace dojo::gui
