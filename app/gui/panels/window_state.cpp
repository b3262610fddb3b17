#include "gui/panels/window_state.hpp"

namespace dojo::gui {

TextBuffer& WindowState::text_of(const StandIn& in) {
  if (stand_in_text_of_ != &in || stand_in_text_.text() != in.text) {
    stand_in_text_of_ = &in;
    stand_in_text_.set(in.text);
  }
  return stand_in_text_;
}

TextBuffer& WindowState::reference_text(const StepView& v) {
  auto [it, fresh] = reference_texts_.try_emplace(v.id);
  if (fresh) it->second.set(v.reference_text);
  return it->second;
}

}  // namespace dojo::gui
