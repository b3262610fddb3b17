#include "gui/model/session/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

namespace dojo::gui {
using nlohmann::json;

std::optional<std::string> read_regular_file(const fs::path& file) {
  // A pipe or a device in a file's place would keep the window waiting.
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) return std::nullopt;
  return read_file(file);
}

std::string typed_path(const std::string& typed) {
  std::string path = typed;
  if (const size_t again = path.rfind("//"); again != std::string::npos) path.erase(0, again + 1);
  if (const size_t home = path.rfind("/~/"); home != std::string::npos) path.erase(0, home + 1);
  const char* home = std::getenv("HOME");
  if (path.starts_with("~/") && home && *home) path.replace(0, 1, home);
  return path;
}

std::string too_long_to_edit(const fs::path& file) {
  constexpr std::uintmax_t most = 4'000'000, typed = 200'000;  // what was typed behind a long paste
  std::error_code ec;
  const std::uintmax_t bytes = fs::file_size(file, ec);
  if (ec || bytes <= most + typed) return "";
  return fmt::format("{} has {:.0f} MB. The window edits files of up to {} MB: open it in another editor.",
                     file.filename().string(), double(bytes) * 1e-6, most / 1'000'000);
}

namespace {
/// A JSON object from a file; a broken one is set aside as FILE.broken so that nothing is lost.
json read_object(const fs::path& file, std::string* problem) {
  const std::optional<std::string> text = read_regular_file(file);
  if (!text) return json::object();
  json j = json::parse(*text, nullptr, false);
  if (j.is_object()) return j;
  std::error_code ec;
  fs::path aside = file;
  aside += ".broken";
  fs::rename(file, aside, ec);
  if (problem) *problem = file.string() + " was not readable; it is kept as " + aside.filename().string();
  return json::object();
}
template <class T>
void get(const json& j, const char* key, T& v) {
  auto it = j.find(key);
  if (it == j.end()) return;
  try {
    v = it->get<T>();
  } catch (const json::exception&) {
  }
}
}  // namespace

namespace {
/// Every kept setting by its key, once for reading and writing.
template <class S, class F>
void each_setting(S& s, F f) {
  f("theme", s.theme);
  f("scale", s.scale);
  f("watch", s.watch);
  f("step", s.step);
  f("device", s.device);
  f("heat", s.heat);
  f("plot", s.plot);
  f("rail", s.rail);
  f("right", s.right);
  f("verdict", s.verdict);
  f("brief", s.brief);
  f("brief_unfolded", s.brief_unfolded);
  f("rail_shown", s.rail_shown);
  f("wrap", s.wrap);
  f("code_shown", s.code_shown);
  f("code_sass", s.code_sass);
  f("code_only", s.code_only);
  f("code", s.code);
  f("editor", s.editor);
  f("width", s.width);
  f("height", s.height);
  f("maximized", s.maximized);
  f("hidden_series", s.hidden_series);
  f("programs", s.programs);
  f("folded", s.folded);
}
}  // namespace

Settings Settings::load(const fs::path& folder, std::string* problem) {
  Settings s;
  if (folder.empty()) return s;
  json j = read_object(folder / "window.json", problem);
  std::set<std::string> known;
  each_setting(s, [&](const char* key, auto& value) {
    get(j, key, value);
    known.insert(key);
  });
  for (auto& [k, v] : j.items())
    if (!known.count(k)) s.other[k] = v.dump();
  if (s.theme != "dark" && s.theme != "light" && s.theme != "contrast" && s.theme != "system")
    s.theme = "dark";
  s.scale = std::clamp(s.scale, 0.5f, 3.0f);
  s.rail = std::clamp(s.rail, 160.0f, 480.0f);
  s.right = std::clamp(s.right, 0.2f, 0.7f);
  s.brief = std::clamp(s.brief, 0.18f, 0.5f);
  s.verdict = std::clamp(s.verdict, 0.15f, 0.8f);
  s.code = std::clamp(s.code, 0.2f, 0.75f);
  s.width = std::clamp(s.width, 640, 16384);
  s.height = std::clamp(s.height, 400, 16384);
  return s;
}

std::string Settings::save(const fs::path& folder) const {
  if (folder.empty()) return "the settings can't be kept: there is no writable folder for them";
  json j = json::object();
  for (auto& [k, v] : other) {
    json value = json::parse(v, nullptr, false);
    if (!value.is_discarded()) j[k] = value;
  }
  each_setting(*this, [&](const char* key, auto& value) { j[key] = value; });
  return replace_file(folder / "window.json", j.dump(1) + "\n");
}

fs::path History::file(const std::string& step) const {
  return folder_ / "history" / (run::step_in_names(step) + ".jsonl");
}

std::vector<PastRun> History::load(const std::string& step) const {
  std::vector<PastRun> out;
  const auto text = folder_.empty() ? std::nullopt : read_regular_file(file(step));
  if (!text) return out;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    json j = json::parse(line, nullptr, false);
    if (!j.is_object()) continue;
    try {
      PastRun p;
      p.when = j.value("when", "");
      p.note = j.value("note", "");
      p.source = j.value("source", "");
      if (j.contains("report"))
        p.report = report_from_json(j["report"].dump());
      else if (p.source.empty())
        continue;
      out.push_back(std::move(p));
    } catch (const std::exception&) {
      // A line of another version: leave it out.
    }
  }
  if (out.size() > limit_) out.erase(out.begin(), out.end() - long(limit_));
  return out;
}

std::string History::append(const std::string& step, const PastRun& run) const {
  if (folder_.empty()) return "the history can't be kept: there is no writable folder for it";
  std::string text = read_regular_file(file(step)).value_or("");
  size_t lines = size_t(std::count(text.begin(), text.end(), '\n'));
  while (lines >= limit_) {
    text.erase(0, text.find('\n') + 1);
    --lines;
  }
  json j;
  j["when"] = run.when;
  j["note"] = run.note;
  if (!run.source.empty()) j["source"] = run.source;
  if (!run.report.runs.empty()) j["report"] = json::parse(to_json(without_detail(run.report)));
  return replace_file(file(step), text + j.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

Report without_detail(const Report& r) {
  Report out = r;
  for (auto& run : out.runs) {
    run.printed.clear();
    for (auto& l : run.launches) l.blocks.clear(), l.lines.clear();
  }
  return out;
}

std::string now_text() {
  std::time_t t = std::time(nullptr);
  std::tm tm{};
  localtime_r(&t, &tm);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
  return text;
}

std::string as_file_name(std::string text) {
  for (char& c : text)
    if (c == '/' || c == ' ' || c == ':') c = '-';
  return text;
}

}  // namespace dojo::gui
