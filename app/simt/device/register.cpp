#include "simt/device/register.hpp"

#include "simt/device/device_simt.hpp"

namespace dojo::simt {

void register_simt() {
  DeviceFamily f;
  f.scheme = "simt";
  f.list = [](std::vector<std::string>* why_not) {
    std::vector<DeviceInfo> all;
    for (const auto& m : device_models(why_not)) all.push_back(m.info);
    return all;
  };
  f.open = [](const std::string& name) -> std::unique_ptr<Device> {
    return std::make_unique<SimtDevice>(device_model(name));
  };
  register_family(std::move(f));
}

}  // namespace dojo::simt
