#include "gui/model/plots/playback.hpp"

#include <algorithm>

namespace dojo::gui {

Moment moment_at(const Timeline& t, double us) {
  Moment m;
  for (int sm = 0; sm < t.sms; ++sm) {
    const uint32_t before = m.running;
    for (uint32_t k = t.row[size_t(sm)]; k < t.row[size_t(sm) + 1]; ++k) {
      const Span& s = t.spans[k];
      if (s.start > us)
        ++m.waiting;
      else if (s.end <= us)
        ++m.done;
      else
        ++m.running;
    }
    m.busy_sms += m.running > before;
  }
  return m;
}

double next_event(const Timeline& t, double us, bool forwards) {
  double best = forwards ? t.end_us : 0;
  // Times are floats in the spans: what is shown must be left behind for good.
  const double least = std::max(1e-6, t.end_us * 1e-7);
  for (const Span& s : t.spans)
    for (double e : {double(s.start), double(s.end)}) {
      if (forwards && e > us + least) best = std::min(best, e);
      if (!forwards && e < us - least) best = std::max(best, e);
    }
  return best;
}

void Playback::toggle(double end_us) {
  if (!on || at_us >= end_us) at_us = 0;
  playing = !playing || !on;
  on = true;
  last_ = -1;
}

void Playback::seek(double us, double end_us) {
  on = true;
  playing = false;
  at_us = std::clamp(us, 0.0, end_us);
}

bool Playback::tick(double now, double end_us) {
  const double since = last_ < 0 ? 0 : std::clamp(now - last_, 0.0, 0.25);
  last_ = now;
  if (!playing || end_us <= 0) return false;
  at_us += since * end_us / std::max(0.1, seconds);
  if (at_us >= end_us) {
    at_us = end_us;
    playing = false;
  }
  return true;
}

}  // namespace dojo::gui
