#pragma once
// Shared by the views of slow motion: colours of wavefronts, short forms of values, headings, and the columns
// of the 32 lanes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/step_trace.hpp"
#include "gui/look.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

/// Of a wavefront, from 0: one colour for the `least` that the access needs, another, paler or fuller, for
/// those in excess.
inline ImU32 wavefront_colour(int wavefront, int least) {
  auto& t = theme();
  const ImU32 pale = mix(t.bad, t.panel, 0.35f);
  return wavefront < least ? t.data[0] : mix(pale, t.bad, std::min(1.0f, float(wavefront - least) / 6));
}

/// A value of more than three letters keeps half a letter free, so that it does not run into the neighbour's.
inline bool value_fits(const std::string& text, float width, ImFont* f) {
  const float free = text.size() > 3 ? f->GetCharAdvance('0') / 2 : 0;
  return text_size(f, text).x <= width - free;
}

/// How many lanes share the room for one value so that all are readable: 1, 2, 4, 8 or 16 cells of `width`.
inline int lanes_per_value(const std::vector<std::string>& values, float width, ImFont* f) {
  int every = 1;
  while (every < 16 && !std::all_of(values.begin(), values.end(), [&](const std::string& s) {
           return value_fits(s, width * float(every) - (every > 1 ? px(2) : 0), f);
         }))
    every *= 2;
  return every;
}

/// A value in a cell of `width`; a float is rounded to the digits that fit, one at least.
inline std::string short_value(StepTrace::Shown shown, uint64_t bits, float width, ImFont* f) {
  const bool real = shown == StepTrace::Shown::float32 || shown == StepTrace::Shown::float64;
  const auto fits = [&](const std::string& text) { return value_fits(text, width, f); };
  std::string s = value_text(shown, bits);
  if (fits(s)) return s;
  if (real) {
    const double v = shown == StepTrace::Shown::float32 ? double(std::bit_cast<float>(uint32_t(bits)))
                                                        : std::bit_cast<double>(bits);
    for (int digits = 4; digits >= 1; --digits) {
      s = fmt::format("{:.{}g}", v, digits);
      if (s.starts_with("0.")) s.erase(0, 1);
      if (s.starts_with("-0.")) s.erase(1, 1);
      if (fits(s)) return s;
    }
  }
  return "\xC2\xB7";  // a dot: there is a value, and no room for it
}

/// Width to the right of the lanes, for the warp's state.
inline float lane_tail(float width) { return std::min(px(92), width * 0.14f); }

inline void heading(ImDrawList* d, ImVec2 p, const std::string& title, const std::string& note, float width,
                    ImU32 colour = 0) {
  auto& t = theme();
  text_at(d, fonts().strong, p, colour ? colour : t.text, title, width);
  const float w = text_size(fonts().strong, title).x + px(10);
  if (!note.empty() && w < width * 0.8f)
    text_at(d, fonts().small, {p.x + w, p.y + px(2)}, t.muted, note, width - w);
}

}  // namespace dojo::gui
