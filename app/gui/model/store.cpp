#include "gui/model/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace dojo::gui {
using nlohmann::json;

std::string write_atomically(const fs::path& file, const std::string& text) {
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  fs::path target = fs::is_symlink(file, ec) ? fs::canonical(file, ec) : file;
  if (ec || target.empty()) target = file;
  fs::path tmp = target;
  tmp += ".new" + std::to_string(::getpid());
  int fd = ::open(tmp.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return file.string() + " can't be written: " + std::strerror(errno);
  size_t done = 0;
  while (done < text.size()) {
    ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += size_t(n);
  }
  bool ok = done == text.size() && ::fsync(fd) == 0;
  int error = errno;
  ok = ::close(fd) == 0 && ok;
  if (ok) {
    if (auto status = fs::status(target, ec); !ec && fs::exists(status)) fs::permissions(tmp, status.permissions(), ec);
    fs::rename(tmp, target, ec);
    if (!ec) return "";
    error = ec.value();
  }
  fs::remove(tmp, ec);
  return file.string() + " can't be written: " + std::strerror(error);
}

bool read_file(const fs::path& file, std::string& text) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  std::stringstream s;
  s << in.rdbuf();
  text = s.str();
  return true;
}

namespace {
/// A JSON object from a file; a broken one is set aside as FILE.broken so that nothing is lost.
json read_object(const fs::path& file, std::string* problem) {
  std::string text;
  if (!read_file(file, text)) return json::object();
  json j = json::parse(text, nullptr, false);
  if (j.is_object()) return j;
  std::error_code ec;
  fs::path aside = file;
  aside += ".broken";
  fs::rename(file, aside, ec);
  if (problem) *problem = file.string() + " was not readable; it is kept as " + aside.filename().string();
  return json::object();
}
template <class T> void get(const json& j, const char* key, T& v) {
  auto it = j.find(key);
  if (it == j.end()) return;
  try {
    v = it->get<T>();
  } catch (const json::exception&) {
  }
}
}  // namespace

Settings Settings::load(const fs::path& folder, std::string* problem) {
  Settings s;
  if (folder.empty()) return s;
  json j = read_object(folder / "window.json", problem);
  get(j, "theme", s.theme);
  get(j, "scale", s.scale);
  get(j, "watch", s.watch);
  get(j, "step", s.step);
  get(j, "device", s.device);
  get(j, "heat", s.heat);
  get(j, "plot", s.plot);
  get(j, "rail", s.rail);
  get(j, "right", s.right);
  get(j, "verdict", s.verdict);
  get(j, "rail_shown", s.rail_shown);
  get(j, "code_shown", s.code_shown);
  get(j, "code_sass", s.code_sass);
  get(j, "code_only", s.code_only);
  get(j, "code", s.code);
  get(j, "width", s.width);
  get(j, "height", s.height);
  get(j, "maximized", s.maximized);
  get(j, "hidden_series", s.hidden_series);
  get(j, "folded", s.folded);
  static const std::set<std::string> known = {"theme", "scale", "watch", "step", "device", "heat", "plot", "rail", "right",
                                              "verdict", "rail_shown", "code_shown", "code_sass", "code_only", "code", "width", "height", "maximized", "hidden_series", "folded"};
  for (auto& [k, v] : j.items())
    if (!known.count(k)) s.other[k] = v.dump();
  if (s.theme != "dark" && s.theme != "light" && s.theme != "contrast") s.theme = "dark";
  s.scale = std::clamp(s.scale, 0.5f, 3.0f);
  s.rail = std::clamp(s.rail, 160.0f, 480.0f);
  s.right = std::clamp(s.right, 0.2f, 0.7f);
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
  j["theme"] = theme;
  j["scale"] = scale;
  j["watch"] = watch;
  j["step"] = step;
  j["device"] = device;
  j["heat"] = heat;
  j["plot"] = plot;
  j["rail"] = rail;
  j["right"] = right;
  j["verdict"] = verdict;
  j["rail_shown"] = rail_shown;
  j["code_shown"] = code_shown;
  j["code_sass"] = code_sass;
  j["code_only"] = code_only;
  j["code"] = code;
  j["width"] = width;
  j["height"] = height;
  j["maximized"] = maximized;
  j["hidden_series"] = hidden_series;
  j["folded"] = folded;
  return write_atomically(folder / "window.json", j.dump(1) + "\n");
}

namespace {
const char* const state_words[] = {"new", "failed", "passed"};
}

Progress Progress::load(const fs::path& folder) {
  Progress p;
  if (folder.empty()) return p;
  json j = read_object(folder / "progress.json", nullptr);
  if (!j.contains("steps") || !j["steps"].is_object()) return p;
  for (auto& [id, v] : j["steps"].items()) {
    StepProgress s;
    std::string state;
    if (v.is_string()) state = v.get<std::string>();
    if (v.is_object()) {
      get(v, "state", state);
      get(v, "hints", s.hints);
      get(v, "prediction", s.prediction);
      get(v, "prediction_skipped", s.prediction_skipped);
      get(v, "runs", s.runs);
    }
    s.state = state == "passed" ? StepState::passed : state == "failed" ? StepState::failed : StepState::fresh;
    p.steps_[id] = s;
  }
  return p;
}

std::string Progress::save(const fs::path& folder) const {
  if (folder.empty()) return "progress can't be kept: there is no writable folder for it";
  // The command line writes the same file: take over what it added, and fields we don't know.
  json j = read_object(folder / "progress.json", nullptr);
  if (!j.contains("steps") || !j["steps"].is_object()) j["steps"] = json::object();
  for (auto& id : touched_) {
    auto& s = steps_.at(id);
    json& v = j["steps"][id];
    if (!v.is_object()) v = json::object();
    if (v.value("state", "") != "passed") v["state"] = state_words[int(s.state)];  // a pass stays a pass
    v["hints"] = s.hints;
    v["prediction"] = s.prediction;
    v["prediction_skipped"] = s.prediction_skipped;
    v["runs"] = s.runs;
  }
  return write_atomically(folder / "progress.json", j.dump(1) + "\n");
}

const StepProgress& Progress::of(const std::string& step) const {
  static const StepProgress none;
  auto it = steps_.find(step);
  return it == steps_.end() ? none : it->second;
}

fs::path History::file(const std::string& step) const {
  std::string name = step;
  for (char& c : name)
    if (c == '/') c = '+';
  return folder_ / "history" / (name + ".jsonl");
}

std::vector<PastRun> History::load(const std::string& step) const {
  std::vector<PastRun> out;
  std::string text;
  if (folder_.empty() || !read_file(file(step), text)) return out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    json j = json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains("report")) continue;
    try {
      PastRun p;
      p.when = j.value("when", "");
      p.note = j.value("note", "");
      p.report = report_from_json(j["report"].dump());
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
  std::string text;
  read_file(file(step), text);
  size_t lines = size_t(std::count(text.begin(), text.end(), '\n'));
  while (lines >= limit_) {
    text.erase(0, text.find('\n') + 1);
    --lines;
  }
  json j;
  j["when"] = run.when;
  j["note"] = run.note;
  j["report"] = json::parse(to_json(without_detail(run.report)));
  return write_atomically(file(step), text + j.dump() + "\n");
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

}  // namespace dojo::gui
