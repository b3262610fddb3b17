#pragma once
// What the maps of banks and of sectors share: below them the counts of the run's lines.
#include "gui/panels/plots/drawing.hpp"

namespace dojo::gui {

class MemoryMap : public PlotDrawing {
 public:
  MemoryMap(Plots& plots, bool is_shared) : PlotDrawing(plots), shared(is_shared) {}

 protected:
  void line_table();
  float line_table_height(ImVec2 size) const;  ///< 0 without a run

  const bool shared;  ///< shared memory, else global
};

}  // namespace dojo::gui
