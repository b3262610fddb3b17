#include "gui/model/session/drafts.hpp"

#include <unistd.h>

#include <sstream>

#include "core/files/whole_file.hpp"

namespace dojo::gui {
namespace fs = std::filesystem;

namespace {
bool written_by(const std::string& window, const std::string& file, const run::KeptDraft& k) {
  return k.window == window && k.draft.file == file;
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

fs::path Drafts::own(const std::string& step, const std::string& file) const {
  for (auto& path : run::draft_files(folder_, step))
    if (const auto k = run::read_draft(path); k && written_by(window_, file, *k)) return path;
  std::error_code ec;
  for (int n = 0;; ++n) {
    const std::string mark = n ? window_.substr(0, window_.find(':')) + "-" + std::to_string(n) : "";
    const fs::path path = run::draft_file(folder_, step, mark);
    if (!fs::exists(path, ec) || !run::read_draft(path) || n > 99) return path;
  }
}

std::optional<Draft> Drafts::load(const std::string& step, const fs::path& file, std::string* problem) const {
  if (folder_.empty()) return std::nullopt;
  std::optional<Draft> newest;
  fs::path from;
  bool mine = false;
  for (auto& path : run::draft_files(folder_, step)) {
    auto k = run::read_draft(path);
    if (!k) {
      // The next draft would be written over what is left of this one.
      std::error_code ec;
      fs::rename(path, path.string() + ".broken", ec);
      if (problem && !ec)
        *problem = "Unsaved text in " + path.string() + " was not readable; it is kept as " +
                   path.filename().string() + ".broken";
      continue;
    }
    if (k->draft.file != file.string()) continue;
    if (k->window != window_ && lives(k->window)) continue;
    if (newest && newest->when > k->draft.when) continue;
    newest = std::move(k->draft), from = path, mine = k->window == window_;
  }
  // What a window that is gone has left is this one's from now on.
  if (newest && !mine) run::write_draft(from, {*newest, window_});
  return newest;
}

std::string Drafts::keep(const std::string& step, const Draft& d) const {
  return folder_.empty() ? "" : run::write_draft(own(step, d.file), {d, window_});
}

void Drafts::drop(const std::string& step, const fs::path& file) const {
  std::error_code ec;
  if (folder_.empty()) return;
  for (auto& path : run::draft_files(folder_, step))
    if (const auto k = run::read_draft(path); k && written_by(window_, file.string(), *k))
      fs::remove(path, ec);
}

}  // namespace dojo::gui
