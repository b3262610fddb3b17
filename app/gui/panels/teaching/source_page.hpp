#pragma once
// A source in a printed deck: no scrolling, so what doesn't fit goes on on the next page.
#include <imgui.h>

#include <map>
#include <string>
#include <vector>

#include "gui/model/text/line_heat.hpp"
#include "gui/model/text/source_pages.hpp"

namespace dojo::gui {

struct PrintedSource {
  /// Draws the page at `page`. Page 0 lays out all pages first; `notes`: pixels that the notes take from it,
  /// which later pages have for the source.
  void draw(const std::vector<std::string>& lines, const std::map<int, LineHeat>&, ImVec2 size, float notes);

  int page = 0;
  SourcePages pages;
  float least_type = 14;  ///< pixels that the type has at least
};

}  // namespace dojo::gui
