#pragma once
// The brief: what the step is about, its prediction, its published figures, its hints.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel {
 public:
  explicit BriefPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw();
  /// Above the code of a window that is not wide: one line, or the brief under it.
  void fold();
  /// The question with its field, or the answer. `opened`: the overlay that it stands in has just opened.
  void prediction_card(bool in_overlay, bool opened = false);

 private:
  void published();
  void hints();

  Session& s_;
  WindowState& window_;
  char predict_[128] = {};
  std::string predict_step_;
};

}  // namespace dojo::gui
