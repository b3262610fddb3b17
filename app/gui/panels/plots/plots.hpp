#pragma once
// The plots' panel: families, the chosen plot, and what every plot has: buttons, legend, figures as CSV.
#include <functional>
#include <map>

#include "gui/model/plots/playback.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/plots/what_if.hpp"
#include "gui/panels/window_state.hpp"
#include "gui/plot/frame.hpp"

namespace dojo::gui {

class SlowMotionPanel;

class Plots {
 public:
  Plots(WindowState& w, SlowMotionPanel& motion) : s_(w.s), window_(w), motion_(motion) {}
  /// `large`: alone in the window, with the times above whatever was chosen.
  void draw(bool large);
  void plot(const std::string& key, ImVec2 size);
  /// Every plot stands between these two. `figures`: what CSV is of, where the key alone doesn't say it.
  bool plot_begin(const std::string& key, ImVec2 size, const PlotSpec&, PlotArea&,
                  const std::function<Table()>& figures = {});
  void plot_end(PlotArea&, const std::vector<std::string>& hover = {});
  PlotFrame& frame(const std::string& key) { return frames_[key]; }
  /// A series that the legend has switched off.
  bool hidden(const std::string& series) const;
  bool hidden(Series) const;
  /// The maps of accesses open at a line of the source; 0: where most is lost.
  void open_maps_at(int line);

  /// What the plots of the last frame offered, by key.
  std::map<std::string, PlotOffer> offers;

 private:
  void tabs(const std::string& chosen);
  const RunReport* earlier_run();
  Table figures(const std::string& key);
  void plot_bars(const std::string& key, ImVec2 size);
  void plot_pairs(const std::string& key, ImVec2 size);
  void plot_divergence(ImVec2 size);
  void plot_timeline(ImVec2 size);  // plot_timeline.cpp
  void timeline_clock(const std::vector<std::pair<const Timeline*, std::string>>& runs, double end,
                      const PlotArea&);
  void plot_streams(ImVec2 size);   // plot_streams.cpp
  void plot_roofline(ImVec2 size);  // plot_points.cpp
  void plot_sweep(ImVec2 size);
  void plot_history(ImVec2 size);
  void plot_waves(ImVec2 size);  // plot_launch.cpp
  void plot_occupancy(ImVec2 size);
  void plot_banks(ImVec2 size,
                  bool pattern = false);  // plot_patterns.cpp; pattern: that, whatever the run did
  void plot_addresses(ImVec2 size, bool pattern = false);
  void line_table(bool shared);
  float line_table_height(ImVec2 size) const;  ///< 0 where no run is there to fill it
  void plot_what_if(ImVec2 size);              // what_if.cpp
  void what_if_controls(float width);
  bool real_access(StepTrace::Space, ImVec2 size);  // plot_real.cpp: true when it drew a recorded access
  void plot_lanes(ImVec2 size);

  Session& s_;
  WindowState& window_;
  SlowMotionPanel& motion_;
  std::map<std::string, PlotFrame> frames_;
  BankPattern banks_;
  AddressPattern addresses_;
  WhatIfModel what_if_;
  Playback playback_;
  std::string playback_of_;                      // step and report
  const StepTrace::Access* real_csv_ = nullptr;  // while its plot begins: what CSV is of
  int real_line_[2] = {0, 0}, real_at_[2] = {-1, -1}, lanes_warp_ = 0, lanes_at_ = -1;
};

}  // namespace dojo::gui
