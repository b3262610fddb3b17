#pragma once
// What `warpdojo bench app` measures.
#include <map>
#include <string>
#include <vector>

namespace dojo::gui {

struct FrameTime {
  double whole_ms = 0;  ///< drawing, rendering and swapping
  double cpu_ms = 0;    ///< making the draw lists
  bool busy = false;    ///< a run was going on
};

/// Filled in by run_app.
struct Measured {
  double first_frame_ms = 0;  ///< from the call of run_app to the first swap
  std::vector<FrameTime> frames;
};
Measured& measured();

/// Figures by key: app.first_frame_ms, app.frame_ms_p99_busy, app.idle_cpu_pct, app.timeline_100k_ms. Needs a
/// display, or Xvfb, which it starts itself. Throws Error saying what is missing.
std::map<std::string, double> bench_app();

}  // namespace dojo::gui
