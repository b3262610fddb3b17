#include "gui/system_theme.hpp"

#include <cstdio>
#include <cstdlib>

namespace dojo::gui {

std::string system_theme() {
  if (const char* gtk = std::getenv("GTK_THEME"); gtk && *gtk) {
    const std::string name = gtk;
    return name.ends_with(":dark") || name.ends_with("-dark") ? "dark" : "light";
  }
  std::string scheme;
  if (FILE* p = ::popen("gsettings get org.gnome.desktop.interface color-scheme 2>/dev/null", "r")) {
    char buffer[64];
    while (std::fgets(buffer, sizeof buffer, p)) scheme += buffer;
    ::pclose(p);
  }
  return scheme.find("prefer-light") != std::string::npos || scheme.find("'default'") != std::string::npos
             ? "light"
             : "dark";
}

}  // namespace dojo::gui
