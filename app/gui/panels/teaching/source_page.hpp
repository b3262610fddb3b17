#pragma once
// A source in a printed deck. Pages don't scroll, so the rest continues on the next page.
#include <imgui.h>

#include <map>
#include <string>
#include <vector>

#include "gui/model/text/line_heat.hpp"
#include "gui/model/text/source_pages.hpp"

namespace dojo::gui {

struct PrintedSource {
  /// Draws page number `page`. Page 0 first lays out all pages. `notes`: height in pixels of the notes, which
  /// are on the first page only.
  void draw(const std::vector<std::string>& lines, const std::map<int, LineHeat>&, ImVec2 size, float notes);

  int page = 0;
  SourcePages pages;
  float least_type = 14;  ///< smallest size of the type, in pixels
};

}  // namespace dojo::gui
