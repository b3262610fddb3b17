#pragma once
// The plots' panel: plot families, the chosen plot, and what all plots share: buttons, legend, CSV.
#include <functional>
#include <map>

#include "gui/model/plots/playback.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/plots/what_if.hpp"
#include "gui/panels/window_state.hpp"
#include "gui/plot/frame.hpp"

namespace dojo::gui {

class SlowMotionPanel;

/// Of a folded half of Streams: `whole` ("Reference: 139 µs end to end"), what overlaps where `width` pixels
/// have room, and always that F6 shows the rows.
std::string folded_streams_words(const std::string& whole, const std::string& overlapped, float width);

class Plots {
 public:
  Plots(WindowState& w, SlowMotionPanel& motion) : s_(w.s), window_(w), motion_(motion) {}
  /// `large`: the plots fill the window, and the times are drawn above the chosen plot.
  void draw(bool large);
  void plot(const std::string& key, ImVec2 size);
  /// Every plot draws between plot_begin and plot_end. `figures`: the table for CSV where `key` does not
  /// determine it.
  bool plot_begin(const std::string& key, ImVec2 size, const PlotSpec&, PlotArea&,
                  const std::function<Table()>& figures = {});
  void plot_end(PlotArea&, const std::vector<std::string>& hover = {});
  PlotFrame& frame(const std::string& key) { return frames_[key]; }
  /// Has the legend switched this entry off? `key`: its LegendItem's.
  bool hidden(const std::string& key) const;
  bool hidden(Series s) const { return hidden(key_of(s)); }
  /// Entries of a legend, with the colour and name of the series, and hidden if they are.
  LegendItem entry(Series) const;
  LegendItem entry(const std::string& key, const std::string& label, ImU32 colour) const;
  /// Whose figures they are: "You", or of a file in the place of the student's its label, such as "ada".
  std::string side(Series) const;
  /// The run is of the student's own file: what is said of it is said to "you".
  bool is_yours() const;
  /// Opens the maps of accesses at a source line; 0: at the line with the most waste.
  void open_maps_at(int line);

  /// What a plot draws: of an untouched file that does none of the work, and of a run that was stopped on its
  /// way, no speed stands beside the reference's.
  const Report* report_for(const std::string& key);

  /// The offers of the last frame's plots, by key.
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
  void offer_sweep(ImVec2 at);
  void plot_history(ImVec2 size);
  void plot_waves(ImVec2 size);  // plot_launch.cpp
  void plot_occupancy(ImVec2 size);
  void plot_banks(ImVec2 size,
                  bool pattern = false);  // plot_patterns.cpp; pattern: draws the pattern, not the run
  void plot_addresses(ImVec2 size, bool pattern = false);
  void bank_choices();
  void line_table(bool shared);
  float line_table_height(ImVec2 size) const;  ///< 0 without a run
  void plot_what_if(ImVec2 size);              // what_if.cpp
  void what_if_controls(ImVec2 size);
  void what_if_policies();
  bool real_access(StepTrace::Space, ImVec2 size);  // plot_real.cpp: true when it drew a recorded access
  /// Why no block is recorded, where it is not for want of a run: empty.
  std::string no_sample() const;
  LineAccesses::One chosen_access(const std::vector<LineAccesses>&, const StepTrace&, bool shared);
  void access_head(const StepTrace::Access&, const LineAccesses::One&);
  void access_map(const StepTrace::Access&, ImVec2 size, bool shared);
  void plot_lanes(ImVec2 size);  // plot_lanes.cpp
  void lanes_head(const std::vector<LaneStep>&);

  Session& s_;
  WindowState& window_;
  SlowMotionPanel& motion_;
  std::map<std::string, PlotFrame> frames_;
  BankPattern banks_;
  AddressPattern addresses_;
  WhatIfModel what_if_;
  Playback playback_;
  Report untouched_;                             // the view's report without the student's run
  std::string untouched_of_;                     // the step and report that it is of
  std::string playback_of_;                      // the step and report that playback_ is of
  const StepTrace::Access* real_csv_ = nullptr;  // during plot_begin: the access that CSV lists
  int real_line_[2] = {0, 0}, real_at_[2] = {-1, -1}, lanes_warp_ = 0, lanes_at_ = -1;
};

}  // namespace dojo::gui
