#include "grade/intake/class_archive.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "core/files/whole_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/intake/layout.hpp"

namespace dojo::grade {

std::string stem_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const char* e : {".zip", ".tar.gz", ".tgz", ".tar", ".cu"})
    if (name.size() > std::string(e).size() && plain_name(name).ends_with(plain_name(e)) && name.ends_with(e))
      return name.substr(0, name.size() - std::string(e).size());
  return name;
}

std::optional<std::string> class_within(const Unpacked& all, const Catalog& catalog,
                                        const std::function<bool(const std::string&)>& step_file) {
  // What can be a student's, at the top and within the folders there.
  std::map<std::string, std::set<std::string>> members;
  for (const Entry& e : all.entries) {
    const fs::path path = e.path, above = path.parent_path();
    if (path.filename() == "submission_metadata.yml" && above.parent_path().empty())
      return above.empty() ? std::string() : above.string() + "/";  // Gradescope's export
    std::string around;
    for (const auto& part : path) {
      const std::string own = part.string();
      const bool file = around + own == e.path;
      const std::string bare = file ? stem_of(own) : own;
      if (by_moodle(own) || (file && by_canvas(own))) return around;
      if (skipped_folder(own) || own == "labs" || lab_named(catalog, bare)) break;
      if (!attempt_number(bare) && !time_within(bare) && (!file || is_archive(own)))
        members[around].insert(own);
      if (!around.empty()) break;
      around = own + "/";
    }
  }
  const std::set<std::string>& top = members[""];
  if (top.size() >= 2) return "";
  if (top.empty() || is_archive(*top.begin())) return std::nullopt;
  // One folder: a student's own, or a class's? The members of a class's are students' each.
  const std::string around = *top.begin() + "/";
  const auto is_students = [&](const std::string& member) {
    const std::string below = around + member + "/";
    return is_archive(member) || std::any_of(all.entries.begin(), all.entries.end(), [&](const Entry& e) {
             if (!e.path.starts_with(below)) return false;
             const std::string inner = e.path.substr(below.size());
             const std::string first = inner.substr(0, inner.find('/'));
             return first == "labs" || lab_named(catalog, first) || step_file(first);
           });
  };
  const auto& inner = members[around];
  if (std::count_if(inner.begin(), inner.end(), is_students) < 2) return std::nullopt;
  return around;
}

std::vector<std::string> lay_out_class(const Unpacked& all, const std::string& around, const fs::path& to) {
  std::vector<std::string> left_out;
  std::error_code ec;
  for (const std::string& other : all.others) {
    if (!other.starts_with(around)) continue;
    const fs::path at = to / other.substr(around.size());
    fs::create_directories(at.parent_path(), ec);
    if (at.parent_path() == to) write_atomically(at, "");
  }
  for (const Entry& e : all.entries) {
    if (!e.path.starts_with(around)) {
      left_out.push_back(e.path + ": beside the folder of the class; no row");
      continue;
    }
    const fs::path at = to / e.path.substr(around.size());
    fs::create_directories(at.parent_path(), ec);
    if (fs::exists(at, ec) || !write_atomically(at, e.text)) {
      left_out.push_back(e.path + ": can't be unpacked under this name; no row");
      continue;
    }
    const std::chrono::sys_seconds when{std::chrono::seconds(e.modified)};
    fs::last_write_time(at, std::chrono::file_clock::from_sys(when), ec);
  }
  return left_out;
}

}  // namespace dojo::grade
