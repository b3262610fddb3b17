#include "core/labs/lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "core/error.hpp"
#include "core/files/same_path.hpp"
#include "core/install/user_labs.hpp"
#include "core/paths.hpp"
#include "core/text/nearest.hpp"

namespace dojo {
namespace {

std::string steps_of(const Lab& lab) {
  return fmt::format("the steps of {} are {} to {} (`warpdojo list {}` shows them)", lab.name,
                     lab.steps.front().id(), lab.steps.back().id(), lab.name);
}

/// What a name of no step may have meant, or which steps its lab has, or which labs there are.
std::string what_is_near(const Catalog& catalog, const std::string& wanted) {
  std::map<std::string, std::string> id_of;  // by each way to write it
  std::vector<std::string> names;
  std::string labs, steps;  // steps: of the lab that is named
  for (const auto& lab : catalog.labs) {
    labs += (labs.empty() ? "" : ", ") + lab.name;
    if (wanted.starts_with(lab.name + "/") && !lab.steps.empty()) steps = steps_of(lab);
    for (const auto& s : lab.steps)
      for (const std::string& name :
           {s.id(), lab.name + "/" + s.name, lab.name + "/" + std::to_string(s.number), s.name, lab.name})
        if (id_of.emplace(name, s.id()).second) names.push_back(name);
  }
  const std::string nearest = nearest_word(wanted, names);
  if (nearest.empty() && !steps.empty()) return "; " + steps;
  if (nearest.empty()) return "; the labs are " + labs + " (`warpdojo list` shows their steps)";
  return "; the nearest is '" + id_of[nearest] + "' (`warpdojo list` shows all)";
}

/// The step of this name that gates compare with and that is not to be solved here; null: none.
const Step* compared_step(const Catalog& catalog, const std::string& wanted) {
  const size_t slash = wanted.find('/');
  const Lab* lab = slash == std::string::npos ? nullptr : catalog.find_lab(wanted.substr(0, slash));
  if (!lab) return nullptr;
  const std::string name = wanted.substr(slash + 1);
  for (const Step& s : lab->compared)
    if (s.name == name || s.stem() == name || std::to_string(s.number) == name) return &s;
  return nullptr;
}

}  // namespace

Size Curve::at(int64_t value) const {
  Size s;
  for (const auto& e : extents) s[e] = value;
  if (volume > 0) s[other] = std::max<int64_t>(1, int64_t(volume) / std::max<int64_t>(1, value));
  return s;
}

const Lab* Catalog::find_lab(const std::string& name) const {
  for (const auto& l : labs)
    if (l.name == name || l.folder.filename() == name) return &l;
  return nullptr;
}

const Lab& Catalog::lab_of(const Step& step) const {
  for (const auto& l : labs)
    if (l.name == step.lab) return l;
  throw Error("no lab '" + step.lab + "'");
}

const Step* Catalog::previous(const Step& step) const {
  const Lab& lab = lab_of(step);
  for (const auto* all : {&lab.steps, &lab.compared})
    for (const Step& s : *all)
      if (!step.before.empty() && s.file == step.before) return &s;
  return nullptr;
}

fs::path Catalog::student_file(const Step& step) const { return lab_of(step).folder / step.file; }
fs::path Catalog::reference_file(const Step& step) const { return lab_of(step).reference / step.file; }

const Step& Catalog::find_reference(const std::string& wanted) const {
  const Step* step = compared_step(*this, wanted);
  return step ? *step : find(wanted);
}

const Step& Catalog::find(const std::string& wanted) const {
  if (labs.empty()) throw Error("there are no labs under " + (root / "labs").string());
  if (wanted.ends_with(".cu")) {
    for (const auto& lab : labs)
      for (const auto& s : lab.steps)
        if (same_path(wanted, lab.folder / s.file) || same_path(wanted, lab.reference / s.file)) return s;
    // A copy elsewhere, laid out as LAB-FOLDER/FILE.
    const fs::path p(wanted);
    if (const Lab* lab = find_lab(p.parent_path().filename().string()))
      for (const auto& s : lab->steps)
        if (p.filename() == s.file) return s;
    std::error_code ec;
    if (!fs::exists(p, ec)) throw Error("there is no file " + wanted);
    throw Error("'" + wanted +
                "' is the file of no step; `warpdojo list` shows the steps, `warpdojo play FILE.cu` runs any "
                "program");
  }
  const size_t slash = wanted.find('/');
  const std::string lab_name = wanted.substr(0, slash);
  const std::string step_name = slash == std::string::npos ? "" : wanted.substr(slash + 1);
  if (const Lab* lab = find_lab(lab_name); lab && !step_name.empty()) {
    std::vector<const Step*> numbered;
    for (const auto& s : lab->steps) {
      if (s.name == step_name || s.stem() == step_name) return s;
      if (std::to_string(s.number) == step_name) numbered.push_back(&s);
    }
    if (!numbered.empty()) return *numbered.front();  // several versions of one row: the first
    if (const Step* step = compared_step(*this, wanted))
      throw Error(step->id() +
                  " is no step of this course: gates of other steps compare with its reference "
                  "(`warpdojo list " +
                  lab->name + "` shows the steps)");
    if (step_name.find_first_not_of("0123456789") == step_name.npos && !lab->steps.empty()) {
      const auto by_number = [](const Step& a, const Step& b) { return a.number < b.number; };
      const auto [least, most] = std::minmax_element(lab->steps.begin(), lab->steps.end(), by_number);
      throw Error(fmt::format("no step '{}'; the steps of {} are {} to {} (`warpdojo list {}` shows them)",
                              wanted, lab->name, least->number, most->number, lab->name));
    }
  }
  if (const Lab* lab = find_lab(wanted); lab && !lab->steps.empty())
    throw Error(
        fmt::format("'{}' is a lab: name one of its steps, such as {} (`warpdojo list {}` shows them)",
                    wanted, lab->steps.front().id(), lab->name));
  throw Error("no step '" + wanted + "'" + what_is_near(*this, wanted));
}

fs::path find_root() {
  std::error_code ec;
  if (const char* v = std::getenv("WARPDOJO_ROOT"); v && *v) return fs::absolute(v, ec);
  const fs::path installed = installed_root();
  for (fs::path p = fs::current_path(ec); !p.empty(); p = p.parent_path()) {
    if (!installed.empty() && is_user_labs(p)) return user_labs(installed, p);
    // An installed program may start anywhere: any folder named labs is not enough.
    if (fs::is_directory(p / "labs" / (installed.empty() ? "" : "include"), ec)) return p;
    if (p == p.parent_path()) break;
  }
  return installed.empty() ? source_root() : user_labs(installed, user_labs_folder());
}

}  // namespace dojo
