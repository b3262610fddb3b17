#pragma once
// The drawing of one plot: what each row of plots.def has, but for guests.
#include <memory>

#include "gui/panels/plots/plots.hpp"

namespace dojo::gui {

class PlotDrawing {
 public:
  explicit PlotDrawing(Plots& p) : plots_(p), s_(p.s_), window_(p.window_), motion_(p.motion_) {}
  virtual ~PlotDrawing() = default;
  virtual void draw(ImVec2 size) = 0;
  /// Its figures, which are copied as CSV. Called while it is drawn.
  virtual Table table() = 0;
  /// Of a map of accesses: opens at a source line; 0: at the line with the most waste.
  virtual void open_at(int /*line*/) {}

 protected:
  bool plot_begin(const std::string& key, ImVec2 size, const PlotSpec& spec, PlotArea& a) {
    return plots_.plot_begin(key, size, spec, a, [this] { return table(); });
  }
  void plot_end(PlotArea& a, const std::vector<std::string>& hover = {}) { plots_.plot_end(a, hover); }
  PlotFrame& frame(const std::string& key) { return plots_.frame(key); }
  bool hidden(const std::string& key) const { return plots_.hidden(key); }
  bool hidden(Series s) const { return plots_.hidden(s); }
  LegendItem entry(Series s) const { return plots_.entry(s); }
  LegendItem entry(const std::string& key, const std::string& label, ImU32 colour) const {
    return plots_.entry(key, label, colour);
  }
  std::string side(Series s) const { return plots_.side(s); }
  bool is_yours() const { return plots_.is_yours(); }
  const Report* report_for(const std::string& key) { return plots_.report_for(key); }
  const RunReport* earlier_run() { return plots_.earlier_run(); }
  /// Why no block is recorded; empty where nothing but a run is missing.
  std::string no_sample() const;

  Plots& plots_;
  Session& s_;
  WindowState& window_;
  SlowMotionPanel& motion_;
};

// `KEY_plot` of every row makes its drawing.
#define DOJO_PLOT(key, title, measure, family, says, note) std::unique_ptr<PlotDrawing> key##_plot(Plots&);
#define DOJO_INNER_PLOT(key, title, says, note) std::unique_ptr<PlotDrawing> key##_plot(Plots&);
#include "gui/model/plots/plots.def"

}  // namespace dojo::gui
