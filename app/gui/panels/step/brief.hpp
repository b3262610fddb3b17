#pragma once
// The brief: what the step is about, its prediction, its published figures, its hints.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel {
 public:
  explicit BriefPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw();
  /// In a narrow window, above the code: one line that unfolds the brief.
  void fold();
  /// The prediction's question with its field, or its answer. `opened`: the overlay around it opened in this
  /// frame.
  void prediction_card(bool in_overlay, bool opened = false);

 private:
  void ask_prediction(ImVec2 from, float width, float pad, bool focus);
  void tell_prediction(ImVec2 from, float width);
  void published();
  void hints();

  Session& s_;
  WindowState& window_;
  char predict_[128] = {};
  std::string predict_step_;
  float card_height_ = 0;  ///< of the prediction in the brief, pixels
};

}  // namespace dojo::gui
