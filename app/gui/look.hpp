#pragma once
// The look of what is drawn, to be put aside while something else is drawn with another one: a slide for a
// file.
#include "gui/theme.hpp"

namespace dojo::gui {

struct Look {
  Theme theme;
  Fonts fonts;
  float scale = 1;
};
Look look_now();
void set_look(const Look&);
/// The presenter's window: its own sizes of type, at the scale of the lecturer's display.
Look notes_look(float scale);

/// While a file is drawn: no buttons, no keys, nothing that only a mouse can use.
bool for_print();
void set_for_print(bool);

}  // namespace dojo::gui
