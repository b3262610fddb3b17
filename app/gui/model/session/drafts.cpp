#include "gui/model/session/drafts.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files/whole_file.hpp"

namespace dojo::gui {
using nlohmann::json;
namespace fs = std::filesystem;

namespace {
std::string text_of(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

int number_of(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_number_integer() ? it->get<int>() : 0;
}

json object_in(const fs::path& file) {
  const auto kept = read_file(file);
  json j = kept ? json::parse(*kept, nullptr, false) : json();
  return j.is_object() ? j : json();
}

bool written_by(const std::string& window, const std::string& file, const json& j) {
  return text_of(j, "window") == window && text_of(j, "file") == file;
}

bool lives(const std::string& window) {
  const std::string pid = window.substr(0, window.find(':'));
  return !pid.empty() && pid.size() < 10 && pid.find_first_not_of("0123456789") == pid.npos &&
         window_of(std::stoi(pid)) == window;
}
}  // namespace

std::string window_of(int pid) {
  // The 22nd word of stat is the start; the second, the command's name, may hold blanks and brackets.
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = stat ? stat->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return "";
  std::istringstream words(stat->substr(name_end + 1));
  std::string word;
  for (int n = 3; n <= 22; ++n) {
    words >> word;
    // A window that was killed stands in the list until its parent has taken notice.
    if (n == 3 && (word == "Z" || word == "X")) return "";
  }
  return std::to_string(pid) + ":" + word;
}

Drafts::Drafts(fs::path folder, std::string window)
    : folder_(std::move(folder)), window_(window.empty() ? window_of(::getpid()) : std::move(window)) {}

std::string Drafts::name(const std::string& step) const {
  std::string name = step;
  std::replace(name.begin(), name.end(), '/', '+');
  return name;
}

std::vector<fs::path> Drafts::all(const std::string& step) const {
  const std::string one = name(step) + ".json", more = name(step) + "@";
  std::vector<fs::path> out;
  std::error_code ec;
  for (auto& e : fs::directory_iterator(folder_ / "drafts", ec)) {
    const std::string file = e.path().filename().string();
    if (file == one || (file.starts_with(more) && file.ends_with(".json"))) out.push_back(e.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

fs::path Drafts::own(const std::string& step, const std::string& file) const {
  for (auto& path : all(step))
    if (written_by(window_, file, object_in(path))) return path;
  std::error_code ec;
  for (int n = 0;; ++n) {
    const std::string mark = n ? "@" + window_.substr(0, window_.find(':')) + "-" + std::to_string(n) : "";
    const fs::path path = folder_ / "drafts" / (name(step) + mark + ".json");
    if (!fs::exists(path, ec) || object_in(path).is_null() || n > 99) return path;
  }
}

std::optional<Draft> Drafts::load(const std::string& step, const fs::path& file) const {
  if (folder_.empty()) return std::nullopt;
  std::optional<Draft> newest;
  fs::path from;
  bool mine = false;
  for (auto& path : all(step)) {
    const json j = object_in(path);
    if (j.is_null() || text_of(j, "file") != file.string()) continue;
    const std::string writer = text_of(j, "window");
    if (writer != window_ && lives(writer)) continue;
    Draft d{text_of(j, "file"), text_of(j, "when"),   text_of(j, "base"),
            text_of(j, "text"), number_of(j, "line"), number_of(j, "column")};
    if (newest && newest->when > d.when) continue;
    newest = std::move(d), from = path, mine = writer == window_;
  }
  // What a window that is gone has left is this one's from now on.
  if (newest && !mine) write(from, *newest);
  return newest;
}

std::string Drafts::write(const fs::path& path, const Draft& d) const {
  const json j = {{"file", d.file}, {"when", d.when},     {"base", d.base},   {"text", d.text},
                  {"line", d.line}, {"column", d.column}, {"window", window_}};
  return replace_file(path, j.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

std::string Drafts::keep(const std::string& step, const Draft& d) const {
  return folder_.empty() ? "" : write(own(step, d.file), d);
}

void Drafts::drop(const std::string& step, const fs::path& file) const {
  std::error_code ec;
  if (folder_.empty()) return;
  for (auto& path : all(step))
    if (written_by(window_, file.string(), object_in(path))) fs::remove(path, ec);
}

}  // namespace dojo::gui
