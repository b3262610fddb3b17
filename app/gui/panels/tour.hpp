#pragma once
// The tour of the first start: at most five callouts, each beside the part of the window that it is about.
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "gui/model/session/session.hpp"

namespace dojo::gui {

struct Tour {
  static constexpr int stops = 5;
  /// A part that a narrow window leaves out has no ring, and words on where it is instead. `layout`: where
  /// the parts of the window stand in this frame, by name.
  void draw(Session&, const std::vector<std::pair<std::string, ImVec4>>& layout);

 private:
  bool shown_ = false;  ///< in the frame before
  float height_ = 0;    ///< of its card in the frame before
};

}  // namespace dojo::gui
