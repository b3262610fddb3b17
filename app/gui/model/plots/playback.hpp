#pragma once
// Playing a launch over its block timeline: where the clock stands, and what the blocks do there.
#include "gui/plot/decimate.hpp"

namespace dojo::gui {

/// What the blocks of a run do at one moment.
struct Moment {
  uint32_t waiting = 0, running = 0, done = 0;  ///< blocks not begun, resident, ended
  int busy_sms = 0;                             ///< with a block
};
Moment moment_at(const Timeline&, double us);

/// The next start or end of a block after a moment (or the one before it), in microseconds; the run's end, or
/// 0, when there is none.
double next_event(const Timeline&, double us, bool forwards);

class Playback {
 public:
  bool on = false;  ///< the clock is shown
  bool playing = false;
  double at_us = 0;
  double seconds = 10;  ///< that the whole run takes on the screen

  /// Starts from the beginning when it stands at the end.
  void toggle(double end_us);
  void seek(double us, double end_us);
  void off() { on = playing = false; }
  /// Moves on with the clock on the wall; true when something moved. Stops at the end.
  bool tick(double now, double end_us);

 private:
  double last_ = -1;
};

}  // namespace dojo::gui
