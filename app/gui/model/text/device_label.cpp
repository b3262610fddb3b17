#include "gui/model/text/device_label.hpp"

#include <filesystem>

namespace dojo::gui {

std::string device_label(const std::string& name, const std::string& title, bool narrow) {
  if (name.starts_with("simt:")) return name.substr(5) + (narrow ? "" : " (modelled)");
  if (name.starts_with("rec:"))
    return std::filesystem::path(name.substr(4)).stem().string() + (narrow ? "" : " (recording)");
  return title.empty() ? name : title;
}

}  // namespace dojo::gui
