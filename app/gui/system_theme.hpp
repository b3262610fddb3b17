#pragma once
#include <string>

namespace dojo::gui {

/// "dark" or "light", as the desktop asks: GTK_THEME, else GNOME's colour scheme; "dark" where neither says.
std::string system_theme();

}  // namespace dojo::gui
