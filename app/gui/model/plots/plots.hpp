#pragma once
// What each plot shows, from reports: bars, points, curves, shares. Geometry and colours are elsewhere.
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "gui/model/session/store.hpp"
#include "gui/plot/table.hpp"

namespace dojo::gui {

/// Whose figure it is: decides colour and legend.
enum class Series { student, reference, previous, library, published };
const char* to_string(Series);
/// "student": by which settings know a series, whatever its label is.
const char* key_of(Series);

/// What a plot is about: the tabs above the plots.
enum class PlotFamily { time, memory, warps, blocks };
const char* to_string(PlotFamily);
inline constexpr PlotFamily plot_families[] = {PlotFamily::time, PlotFamily::memory, PlotFamily::warps,
                                               PlotFamily::blocks};

/// What a plot's figures measure: decides when they are shown.
enum class Measure {
  speed,  ///< how fast a run is: not shown of an untouched file, nor of a run that was stopped
  rate,   ///< speed in bytes or operations per second: no tab on a toy device, whose time has no seconds
  other
};

/// The plots there are, in the order of the tabs: rows of plots.def.
struct PlotInfo {
  const char* key;    ///< as lab.toml's `picture`
  const char* title;  ///< on the tab
  Measure measure;
  const char* says;  ///< the plot's own title: what it shows, in a few words
  const char* note;  ///< "what am I looking at?", a short paragraph
  PlotFamily family = PlotFamily::time;
};
const std::vector<PlotInfo>& plot_infos();
/// Plots that stand inside another view: a map's pattern, the lanes over time, two runs compared.
const std::vector<PlotInfo>& inner_plot_infos();
const PlotInfo& plot_info(const std::string& key);  ///< of either; the first one when unknown

struct Bar {
  std::string label;   ///< "You", "Reference", "Published"
  std::string detail;  ///< device, source, whether modelled or measured
  Series series = Series::student;
  double value = 0, lo = 0, hi = 0;  ///< spread; lo = hi = 0 for none
  std::string text;                  ///< the value as shown
};
struct Bars {
  std::vector<Bar> bars;
  std::string unit;
  double limit = 0;  ///< a line across (the peak), or 0
  std::string limit_text;
  std::string elsewhere;  ///< one line: published figures that are of other sizes, or empty
  bool empty() const { return bars.empty(); }
};
/// Where the axis of these bars ends at first: a little behind the longest and the limit. A published bar of
/// more than three times the longest of the others is cut there, so that those can still be compared.
double axis_end(const std::vector<const Bar*>&, double limit);

/// Published times stand beside runs of their own size only. `earlier`: the student's best earlier run of the
/// previous step on the same device and size, or null.
Bars time_bars(const Step*, const Report*, const RunReport* earlier);
/// Bandwidth: the bytes that must move over the time, with the peak as the limit.
Bars bandwidth_bars(const Step*, const Report*);

struct RoofPoint {
  Series series;
  std::string label;
  double intensity = 0, gflops = 0;  ///< operations per byte, 10^9 operations per second
};
struct Roofline {
  double peak_gbps = 0, peak_gflops = 0;
  std::vector<RoofPoint> points;
  bool empty() const { return points.empty(); }
};
Roofline roofline(const Report*);

/// A named share or figure of both runs side by side: stall reasons, bounds, lanes.
struct Pair {
  std::string label, help;
  double student = 0, reference = 0;
};
struct Pairs {
  std::vector<Pair> rows;
  std::string unit;
  bool has_student = false, has_reference = false;
  bool empty() const { return rows.empty(); }
};
/// Warps stalled for each reason, per issue: the larger first; reasons near zero in both are left out.
Pairs stall_pairs(const Report*);
/// How long each resource alone would need, µs (LaunchReport::bounds, over launches).
Pairs bound_pairs(const Report*);
/// Lanes at work in an average warp instruction: active, and active with their predicate on.
Pairs lane_pairs(const Report*);

/// One launch in figures, for the wave and occupancy plots.
struct LaunchView {
  std::string who, kernel;
  Series series = Series::student;
  double blocks = 0, capacity = 0, waves = 0, utilization = 0, tail_idle = 0, ideal_gain = 1;
  int blocks_per_sm = 0, registers = 0, threads = 0, warps_per_block = 0, warps_per_sm = 64;
  unsigned static_smem = 0, dynamic_smem = 0;
  double occupancy = 0, achieved = 0;
  std::string limiter;
  int launches = 1;  ///< that are alike (launch_rows)
};
/// `device` gives the SM's warp slots (64 when null).
std::vector<LaunchView> launch_views(const Report*, const DeviceInfo* device);
/// One row per side, kernel and shape of launch, in the order of their first launches.
std::vector<LaunchView> launch_rows(const std::vector<LaunchView>&);
/// The rows that a plot of `most` rows shows: half for each side, and what one leaves free for the other.
std::vector<const LaunchView*> rows_that_fit(const std::vector<const LaunchView*>&, size_t most);

/// Which shared-memory bank each lane of a warp meets, for a pattern: word = lane * stride + lane / 32 * ..,
/// or an XOR swizzle. Worked out here, not taken from a run.
struct BankPattern {
  int stride = 1;        ///< in elements
  int width = 4;         ///< bytes an element: 4, 8, 16
  int pad_every = 0;     ///< one element of padding after that many (0: none)
  bool swizzle = false;  ///< element index XOR (row), rows of 32 elements
  int lanes = 32;
};
struct BankMap {
  std::vector<std::vector<int>> lanes_of_bank;  ///< 32 lists
  int wavefronts =
      0;  ///< most distinct words that one bank must serve, per group of lanes that the width allows
  int ideal_wavefronts = 1;  ///< the fewest possible for this width
};
BankMap bank_map(const BankPattern&);

/// Which 32-byte sectors the lanes of a warp touch, for a pattern of global addresses.
struct AddressPattern {
  int stride = 1;  ///< in elements
  int width = 4;   ///< bytes an element
  int offset = 0;  ///< bytes of misalignment of the first element
  int lanes = 32;
};
struct AddressMap {
  std::vector<int> sector_of_lane;  ///< first sector of each lane, from 0
  std::vector<int> sectors;         ///< those touched, ascending
  double used_share = 0;            ///< bytes asked for / bytes moved
};
AddressMap address_map(const AddressPattern&);

/// The figures of a pattern: a row a lane.
Table pattern_table(const BankPattern&);
Table pattern_table(const AddressPattern&);
/// The student's runs of one step, oldest first; and two of them.
Table history_table(const std::vector<PastRun>&);
Table compare_table(const PastRun& a, const PastRun& b);

/// The figures of plots that one report determines.
Table bars_table(const Bars&);
Table pairs_table(const Pairs&);
Table roofline_table(const Report*);
Table timeline_table(const Report*);
Table streams_table(const Report*);
Table launch_table(const Report*, const DeviceInfo*);

}  // namespace dojo::gui
