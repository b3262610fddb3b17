#pragma once
// How a device is called where there is little room: "h100 (modelled)", "h100-reduce (recording)".
#include <string>

namespace dojo::gui {

/// `name`: as `--device` takes it, "simt:h100", "rec:FILE" or "cuda:0"; `title`: its own, for a real GPU.
/// `narrow`: without what it is, where another place says it.
std::string device_label(const std::string& name, const std::string& title, bool narrow = false);

}  // namespace dojo::gui
