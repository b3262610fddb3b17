#pragma once
// How bars that touch in a row are told apart: by shade, and by a line at each bar's end.
#include <cmath>

#include "gui/theme.hpp"

namespace dojo::gui {

/// A little darker in every theme: the ends of bars show, and letters on both shades keep one colour.
inline ImU32 alternate(ImU32 c) { return mix(c, theme().dark ? theme().ground : theme().text, 0.16f); }

/// Draws the last pixel column of a bar from `lo` to `hi`. The next bar begins at the pixel whose centre is
/// right of `hi`: a line between two pixels would disappear under it.
inline void last_pixel(ImDrawList* d, ImVec2 lo, ImVec2 hi, ImU32 colour) {
  const float end = std::floor(hi.x + 0.5f);
  d->AddRectFilled({end - 1, lo.y}, {end, hi.y}, colour);
}

}  // namespace dojo::gui
