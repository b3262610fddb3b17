#include "gui/model/plots/compare.hpp"

#include <fmt/format.h>

namespace dojo::gui {

Ratio compare_times(const RunReport& a, const RunReport& b) {
  Ratio r;
  const Timing &x = a.time_us, &y = b.time_us;
  if (!(x.value > 0) || !(y.value > 0)) {
    r.text = !(x.value > 0) && !(y.value > 0) ? "Neither run has a time."
             : !(x.value > 0)                 ? "A has no time."
                                              : "B has no time.";
    return r;
  }
  if (x.source != y.source) {
    r.text = "One time is modelled, the other measured: a ratio would mean nothing.";
    return r;
  }
  r.known = true;
  r.value = y.value / x.value;
  const bool spread = (x.n > 1 && x.max > x.min && x.min > 0) || (y.n > 1 && y.max > y.min && y.min > 0);
  r.lo = spread ? (y.n > 1 ? y.min : y.value) / (x.n > 1 ? x.max : x.value) : r.value;
  r.hi = spread ? (y.n > 1 ? y.max : y.value) / (x.n > 1 ? x.min : x.value) : r.value;
  auto times = [](double v) { return fmt::format("{:.{}f}", v, v < 10 ? 2 : v < 100 ? 1 : 0); };
  r.text = r.value == 1 && !spread ? "Both take the same time" : "B takes " + times(r.value) + " × A's time";
  if (spread) {
    r.text += " (" + times(r.lo) + " to " + times(r.hi) + ")";
    if (r.lo < 1 && r.hi > 1) r.text += ": within the spread, no difference can be told";
  } else if (x.source == Source::modelled) {
    r.text += ", modelled: exact for the model, no spread";
  }
  r.text += ".";
  return r;
}

}  // namespace dojo::gui
