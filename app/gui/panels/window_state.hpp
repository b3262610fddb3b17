#pragma once
// What the panels of one window share while its frames are drawn.
#include <imgui.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gui/model/session/session.hpp"
#include "gui/panels/code_view.hpp"
#include "gui/panels/teaching/source_page.hpp"

namespace dojo::gui {

/// A part of the window to save as a picture after this frame is drawn.
struct PngRequest {
  bool due = false;
  ImVec2 min, max;
  std::string file;
};

struct WindowState {
  explicit WindowState(Session& session) : s(session) {}

  /// A wide window has no tab for the brief.
  UiState::Tab shown_tab() const {
    return wide && s.ui.tab == UiState::Tab::brief ? UiState::Tab::source : s.ui.tab;
  }
  /// The text that replaces the student's file, and the text of the open step's reference.
  TextBuffer& text_of(const StandIn&);
  TextBuffer& reference_text(const StepView&);

  Session& s;
  /// Seconds until the next frame is due, because something moves by itself.
  double next_frame = 1e9;
  PngRequest png;
  /// Rectangles of the parts in the last frame, by name: left, top, right, bottom.
  std::vector<std::pair<std::string, ImVec4>> layout;
  bool wide = false;         ///< brief, code and result are beside each other
  bool brief_shown = false;  ///< the brief, and in it the prediction, is visible
  int pending_line = 0;      ///< line of the student's file to scroll to in the next frame
  int reference_line = 0;    ///< line of the reference to scroll to
  bool code_focused = false;
  bool find_open = false;
  bool walked = false;  ///< on a slide: Tab was used, so the focus ring shows
  /// The student's file or what stands in for it; the reference.
  CodeView code, reference_code;
  PrintedSource printed;

 private:
  std::map<std::string, TextBuffer> reference_texts_;  // by step
  TextBuffer stand_in_text_;
  const StandIn* stand_in_text_of_ = nullptr;
};

}  // namespace dojo::gui
