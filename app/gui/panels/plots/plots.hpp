#pragma once
// The plots' panel: plot families, the chosen plot, and what all plots share: buttons, legend, CSV.
#include <functional>
#include <map>
#include <memory>

#include "gui/model/plots/plots.hpp"
#include "gui/panels/window_state.hpp"
#include "gui/plot/frame.hpp"

namespace dojo::gui {

class PlotDrawing;
class SlowMotionPanel;

/// Of a folded half of Streams: `whole` ("Reference: 139 µs end to end"), what overlaps where `width` pixels
/// have room, and always that F6 shows the rows.
std::string folded_streams_words(const std::string& whole, const std::string& overlapped, float width);

class Plots {
 public:
  Plots(WindowState&, SlowMotionPanel&);
  ~Plots();
  /// `large`: the plots fill the window, and the times are drawn above the chosen plot.
  void draw(bool large);
  void plot(const std::string& key, ImVec2 size);
  /// Every plot draws between plot_begin and plot_end. `figures`: the table for CSV.
  bool plot_begin(const std::string& key, ImVec2 size, const PlotSpec&, PlotArea&,
                  const std::function<Table()>& figures);
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

  /// The run of the previous step that stands beside this one's, or null.
  const RunReport* earlier_run();

 private:
  friend class PlotDrawing;
  void tabs(const std::string& chosen);

  Session& s_;
  WindowState& window_;
  SlowMotionPanel& motion_;
  std::map<std::string, PlotFrame> frames_;
  std::map<std::string, std::unique_ptr<PlotDrawing>> drawings_;
  Report untouched_;          // the view's report without the student's run
  std::string untouched_of_;  // the step and report that it is of
};

}  // namespace dojo::gui
