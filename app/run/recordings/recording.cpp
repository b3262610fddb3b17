#include "run/recordings/recording.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text/json_words.hpp"
#include "run/reference_cache.hpp"

namespace dojo::run {
namespace {
using Json = nlohmann::ordered_json;
constexpr const char* recording_schema = "warpdojo/recording/1";
}  // namespace

std::string Recording::note() const {
  std::string s = gpu;
  if (!driver.empty()) s += (s.empty() ? "" : ", ") + ("driver " + driver);
  if (!date.empty()) s += (s.empty() ? "" : ", ") + date;
  if (!commit.empty()) s += (s.empty() ? "" : ", ") + ("commit " + commit);
  return s;
}

std::string Recording::brief_note() const {
  Recording r{date, gpu, driver, commit, {}};
  if (const size_t others = commit.find(" ("); others != std::string::npos)
    r.commit = commit.substr(0, others) + " and later ones";
  return r.note();
}

bool names_recording_schema(const std::string& text) {
  // Both writers put the schema first, so the start of the file decides without parsing megabytes.
  const std::string_view start = std::string_view(text).substr(0, 256);
  return start.find("\"warpdojo/recording/") != std::string_view::npos ||
         start.find("\"warpdojo/report/") != std::string_view::npos;
}

Recording load_recording(const fs::path& path) {
  const auto text = read_file(path);
  if (!text)
    throw Error("The recording " + path.string() +
                " is gone or cannot be read. Put it back, or choose another GPU.");
  try {
    const Json j = Json::parse(*text);
    if (!j.is_object() || !j.contains("schema") || !j["schema"].is_string())
      throw Error(path.string() + " is no recording: it has no \"schema\": \"" + recording_schema + "\"");
    Recording r;
    if (j["schema"] == recording_schema) {
      r.date = j.value("date", "");
      r.gpu = j.value("gpu", "");
      r.driver = j.value("driver", "");
      r.commit = j.value("commit", "");
      for (const auto& one : j.at("reports")) r.reports.push_back(report_from_json(one.dump()));
    } else {
      r.reports.push_back(report_from_json(*text));
      r.gpu = r.reports[0].device.title;
    }
    return r;
  } catch (const nlohmann::json::exception& e) {
    throw Error(path.string() + " is no recording: " + json_words(e, *text));
  } catch (const Error& e) {
    if (std::string(e.what()).starts_with(path.string())) throw;
    throw Error(path.string() + " is no recording: " + e.what());
  }
}

void save_recording(const fs::path& path, const Recording& r) {
  // A report a line: readable in a diff, quick to write.
  std::string text = "{\"schema\": \"" + std::string(recording_schema) + "\",";
  for (const auto& [key, value] : {std::pair<const char*, const std::string&>{"date", r.date},
                                   {"gpu", r.gpu},
                                   {"driver", r.driver},
                                   {"commit", r.commit}})
    text += " " + Json(key).dump() + ": " + Json(value).dump() + ",";
  text += "\n\"reports\": [";
  for (size_t i = 0; i < r.reports.size(); ++i) text += (i ? ",\n" : "\n") + to_json(r.reports[i]);
  text += "\n]}\n";
  if (!write_atomically(path, text)) throw Error("cannot write " + path.string());
}

Report replay(const std::string& device, const Recording& recording, const std::string& step_id,
              const Size& size) {
  std::string sizes;
  for (const Report& r : recording.reports) {
    if (r.step != step_id) continue;
    sizes += (sizes.empty() ? "" : ", ") + size_argument(r.size);
    if (!size.empty() && r.size != size) continue;
    Report found = r;
    found.device.name = device;
    found.device.kind = DeviceKind::recording;
    if (const auto note = recording.brief_note(); !note.empty()) found.device.recorded_note = note;
    return found;
  }
  if (!sizes.empty())
    throw Error("the recording has " + step_id + " at " + sizes +
                " only: choose that size, or another device");
  throw Error("the recording has no run of " + step_id + ": choose another device");
}

fs::path recording_path(const std::string& device) {
  const fs::path given = device.substr(device.find(':') + 1);
  std::error_code ec;
  if (fs::exists(given, ec)) return given;
  const fs::path shelf = find_root() / "assets" / "recordings";
  for (const fs::path& p : {shelf / given, shelf / (given.string() + ".json")})
    if (fs::exists(p, ec)) return p;
  return given;
}

void register_recordings() {
  DeviceFamily f;
  f.scheme = "rec";
  f.list = [](std::vector<std::string>* why_not) {
    std::vector<DeviceInfo> out;
    std::error_code ec;
    for (const auto& e : fs::directory_iterator(find_root() / "assets" / "recordings", ec)) {
      if (e.path().extension() != ".json") continue;
      // The folder also holds counters and their reasons (profile.hpp, counter_check.hpp).
      if (const auto text = read_file(e.path()); !text || !names_recording_schema(*text)) continue;
      try {
        const Recording r = load_recording(e.path());
        DeviceInfo i;
        i.name = "rec:" + e.path().filename().string();
        i.title = r.brief_note();
        i.kind = DeviceKind::recording;
        if (!r.reports.empty()) {
          i.sms = r.reports[0].device.sms;
          i.peak_gbps = r.reports[0].device.peak_gbps;
          i.peak_gflops = r.reports[0].device.peak_gflops;
          i.clock_mhz = r.reports[0].device.clock_mhz;
        }
        out.push_back(std::move(i));
      } catch (const Error& e2) {
        if (why_not) why_not->push_back(e2.what());
      }
    }
    std::sort(out.begin(), out.end(),
              [](const DeviceInfo& a, const DeviceInfo& b) { return a.name < b.name; });
    return out;
  };
  f.open = [](const std::string& name) -> std::unique_ptr<Device> {
    throw Error(name + " is a recording: it replays reports of steps and can't run a program");
  };
  register_family(std::move(f));
}

}  // namespace dojo::run
