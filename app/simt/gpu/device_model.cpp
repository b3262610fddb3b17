// The devices that there are, by name. Their files are read in device_file.cpp.
#include "simt/gpu/device_model.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "simt/gpu/rules.hpp"

namespace dojo::simt {
namespace fs = std::filesystem;

int DeviceModel::Cluster::sms(int blocks) const {
  if (blocks <= 1) return 0;
  int all = 0;
  for (const int sms : sms_of_gpcs) all += sms / blocks * blocks;
  return all;
}

const std::vector<DeviceModel>& device_models(std::vector<std::string>* problems) {
  struct Read {
    std::vector<DeviceModel> models;
    std::vector<std::string> problems;
  };
  static const Read read = [] {
    Read r;
    const fs::path folder = source_root() / "assets" / "devices";
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
      if (it->path().extension() != ".toml") continue;
      try {
        r.models.push_back(load_device_model(it->path()));
      } catch (const std::exception& e) {
        r.problems.push_back(error_words(e));
      }
    }
    if (ec) r.problems.push_back("can't read " + folder.string() + ": " + ec.message());
    std::sort(r.models.begin(), r.models.end(), [](const DeviceModel& a, const DeviceModel& b) {
      return std::pair(a.order, a.info.name) < std::pair(b.order, b.info.name);
    });
    std::sort(r.problems.begin(), r.problems.end());
    return r;
  }();
  if (problems) problems->insert(problems->end(), read.problems.begin(), read.problems.end());
  return read.models;
}

namespace {

/// A device less a rule, read once; null when the name asks for none.
const DeviceModel* without_rule(const std::string& name) {
  const size_t at = name.find(without_mark);
  if (at == name.npos) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, DeviceModel> made;
  const DeviceModel& whole = device_model(name.substr(0, at));
  const TimeRule* rule = find_rule(name.substr(at + std::string(without_mark).size()));
  if (!rule) {
    std::string there;
    for (const TimeRule& r : time_rules()) there += (there.empty() ? "" : ", ") + std::string(r.name);
    throw Error("no rule '" + name.substr(at + std::string(without_mark).size()) + "'; there are " + there);
  }
  const std::lock_guard lock(mutex);
  const auto it = made.find(whole.info.name + rule->name);
  if (it != made.end()) return &it->second;
  return &made.emplace(whole.info.name + rule->name, load_device_model(whole.file, rule)).first->second;
}

/// A device whose blocks are `alone`, made once; null when the name asks for none.
const DeviceModel* alone(const std::string& name) {
  constexpr std::string_view mark = "-alone";
  if (!name.ends_with(mark)) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, DeviceModel> made;
  DeviceModel model = device_model(name.substr(0, name.size() - mark.size()));
  model.alone = true;
  model.info.name += mark;
  const std::lock_guard lock(mutex);
  return &made.emplace(model.info.name, model).first->second;
}

}  // namespace

const DeviceModel& device_model(const std::string& name) {
  if (const DeviceModel* model = alone(name)) return *model;
  if (const DeviceModel* less = without_rule(name)) return *less;
  std::vector<std::string> problems;
  std::string there;
  for (const auto& m : device_models(&problems)) {
    if (m.info.name == name || m.info.name == "simt:" + name) return m;
    there += (there.empty() ? "" : ", ") + m.info.name;
  }
  std::string what = "no device '" + name + "'; there are " + there + " (warpdojo devices)";
  for (const auto& p : problems) what += "; " + p;
  throw Error(what);
}

}  // namespace dojo::simt
