#pragma once
// What `warpdojo bench app` measures.
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dojo::gui {

struct FrameTime {
  double whole_ms = 0;  ///< drawing, rendering and swapping
  double cpu_ms = 0;    ///< making the draw lists
  bool busy = false;    ///< a run was going on
  double at_s = 0;      ///< when it was shown, since the start
};

/// Filled in by run_app: the frames that changed the picture.
struct Measured {
  double first_frame_ms = 0;  ///< from the call of run_app to the first swap
  std::vector<FrameTime> frames;
};
Measured& measured();

/// Figures by key: app.first_frame_ms (median of five starts), app.frame_ms_p99_busy (while a run goes;
/// drawing, rendering and swapping under software rendering), app.frames_per_s_busy (pictures shown in a
/// second of a run, on average), app.idle_cpu_pct, app.timeline_100k_ms (drawing cost of a frame whose
/// timeline has 100 000 blocks; a second key for the whole frame). The windows open on Xvfb, which is started
/// here. Throws Error saying what is missing.
std::map<std::string, double> bench_app(bool quick, const std::function<void(const std::string&)>& say);

}  // namespace dojo::gui
