#pragma once
// The frame that every plot stands in: title, legend with toggles, axes, zoom, pan, box zoom, fit, and the
// small buttons for CSV, PNG and "what am I looking at?".
#include <imgui.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gui/plot/axis.hpp"

namespace dojo::gui {

/// Kept between frames for each plot.
struct PlotFrame {
  View view;
  bool boxing = false, note = false;
  ImVec2 box_from;
  uint64_t serial = 0;  ///< of the data that the home view was made for
};

struct LegendItem {
  std::string key;  ///< by which settings keep that it is hidden; stays when the label is reworded
  std::string label;
  ImU32 colour = 0;
  bool hidden = false;
  bool clicked = false;  ///< out
};

struct PlotSpec {
  std::string title, note;
  ImU32 title_colour = 0;  ///< 0: as text
  std::string x_label, y_label;
  std::string units;     ///< said instead of the labels, where a plot draws its own
  bool whole_x = false;  ///< only whole numbers along x
  bool x_ticks = true, y_ticks = true, grid = true;
  bool interactive = true;     ///< wheel, drag, box, double-click
  bool empty = false;          ///< no data: what stands in its place has the mouse
  float left = 0, bottom = 0;  ///< room for own labels; 0: as the ticks need
  std::vector<LegendItem>* legend = nullptr;
  std::function<std::string(double)> y_text;  ///< of ticks; null: the usual
};

/// What a plot that was drawn offers, and where: the mouse finds it there, and so do tests, which walk every
/// plot.
struct PlotOffer {
  struct Toggle {
    std::string label;
    bool hidden = false;
    ImVec2 at;
  };
  std::string title, note, units;
  std::vector<std::string> title_lines;  ///< as they are drawn
  std::vector<Toggle> legend;
  std::map<std::string, ImVec2> buttons;  ///< fit, csv, png, note
  /// Figures that are written beside the data, and where.
  std::vector<std::pair<std::string, ImVec4>> values;
  std::vector<std::pair<double, std::string>> y_ticks;  ///< values of the axis, and what they are called
  std::vector<double> x_ticks;                          ///< values of the x axis that have a number
  bool zooms = false;                                   ///< wheel, drag, box, double-click
  ImVec4 area;
  View view;
  std::vector<std::string> hover;  ///< shown beside the mouse
};

/// Where the data is drawn.
struct PlotArea {
  ImDrawList* draw = nullptr;
  ImVec2 min, max;
  const View* view = nullptr;
  bool hovered = false;
  ImVec2 mouse;
  bool want_csv = false, want_png = false;  ///< a button was pressed
  ImVec2 frame_min, frame_max;              ///< of the whole plot, with title
  std::string id;
  PlotOffer offer;
  float x(double v) const { return min.x + float(view->x.to01(v)) * (max.x - min.x); }
  float y(double v) const { return max.y - float(view->y.to01(v)) * (max.y - min.y); }
  double at_x(float p) const { return view->x.from01((p - min.x) / (max.x - min.x)); }
  double at_y(float p) const { return view->y.from01((max.y - p) / (max.y - min.y)); }
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
};

/// Pixels that a plot of this size gives its title beyond one line: a long one goes on in a second where the
/// plot is high enough.
float title_extra(const PlotSpec&, ImVec2 size);

/// Draws the frame and gives the area; false when there is no room (then don't call end_plot).
bool begin_plot(PlotFrame&, const char* id, ImVec2 size, const PlotSpec&, PlotArea&);
void end_plot(PlotFrame&, PlotArea&);

/// A box with lines of text beside the mouse, inside the area. The first line is strong.
void hover_box(const PlotArea&, const std::vector<std::string>& lines);

}  // namespace dojo::gui
