#pragma once
// The shade of every other bar in a row of bars that touch.
#include "gui/theme.hpp"

namespace dojo::gui {

/// A little darker in every theme: the ends of bars show, and letters on both shades keep one colour.
inline ImU32 alternate(ImU32 c) { return mix(c, theme().dark ? theme().ground : theme().text, 0.16f); }

}  // namespace dojo::gui
