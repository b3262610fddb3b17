// The plots of plots.def as lists, and the words of series and families.
#include "gui/model/plots/plots.hpp"

namespace dojo::gui {

const char* to_string(Series s) {
  switch (s) {
    case Series::student:
      return "You";
    case Series::reference:
      return "Reference";
    case Series::previous:
      return "Previous step";
    case Series::library:
      return "Library";
    case Series::published:
      return "Published";
  }
  return "";
}

const char* key_of(Series s) {
  switch (s) {
    case Series::student:
      return "student";
    case Series::reference:
      return "reference";
    case Series::previous:
      return "previous";
    case Series::library:
      return "library";
    case Series::published:
      return "published";
  }
  return "";
}

const char* to_string(PlotFamily f) {
  switch (f) {
    case PlotFamily::time:
      return "Time";
    case PlotFamily::memory:
      return "Memory";
    case PlotFamily::warps:
      return "Warps";
    case PlotFamily::blocks:
      return "Blocks";
  }
  return "";
}

const std::vector<PlotInfo>& plot_infos() {
  static const std::vector<PlotInfo> all = {
#define DOJO_PLOT(key, title, measure, family, says, note) \
  {#key, title, Measure::measure, says, note, PlotFamily::family},
#include "gui/model/plots/plots.def"
  };
  return all;
}

const std::vector<PlotInfo>& inner_plot_infos() {
  static const std::vector<PlotInfo> all = {
#define DOJO_INNER_PLOT(key, title, says, note) {#key, title, Measure::other, says, note},
#define DOJO_GUEST_PLOT(key, title, says, note) {#key, title, Measure::other, says, note},
#include "gui/model/plots/plots.def"
  };
  return all;
}

const PlotInfo& plot_info(const std::string& key) {
  for (auto* list : {&plot_infos(), &inner_plot_infos()})
    for (auto& p : *list)
      if (key == p.key) return p;
  return plot_infos().front();
}

}  // namespace dojo::gui
