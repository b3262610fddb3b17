#include "grade/intake/candidates.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "grade/book/calendar.hpp"
#include "grade/intake/archive.hpp"
#include "grade/intake/intake.hpp"
#include "grade/intake/layout.hpp"
#include "grade/intake/unpack_child.hpp"
#include "grade/similarity.hpp"
#include "run/files.hpp"

namespace dojo::grade {
namespace {

constexpr int deepest_archive = 3;
constexpr size_t most_sources = 4000;

/// When a folder's name says that it is one attempt of several: its time, else its number.
struct Attempt {
  std::string name;
  std::optional<int64_t> time;
  int number = 0;
  auto order() const { return std::tuple(time.value_or(0), number, name); }
};

/// "attempt-2.zip" -> "attempt-2".
std::string bare(const std::string& name) {
  if (!is_archive(name)) return name;
  const std::string stem = fs::path(name).stem().string();
  return stem.ends_with(".tar") ? stem.substr(0, stem.size() - 4) : stem;
}

std::optional<Attempt> attempt_of(const std::vector<std::string>& folders, size_t outside) {
  for (size_t i = 0; i < outside && i < folders.size(); ++i) {
    const std::string f = bare(folders[i]);
    const auto time = time_within(f);
    const auto number = attempt_number(f);
    if (time || number) return Attempt{f, time, number.value_or(0)};
  }
  return std::nullopt;
}

int64_t modified_of(const fs::path& file) {
  struct stat s {};
  return ::stat(file.c_str(), &s) == 0 ? int64_t(s.st_mtime) : 0;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code ec;
  const fs::path real = fs::canonical(file, ec);
  if (ec) return false;
  const fs::path relative = real.lexically_relative(fs::canonical(folder, ec));
  return !ec && !relative.empty() && *relative.begin() != "..";
}

bool is_source(const fs::path& p) { return p.extension() == ".cu" || p.extension() == ".CU"; }

}  // namespace

std::string Candidates::Source::shown() const {
  std::string s;
  for (const auto& f : folders) s += f + "/";
  return s + name;
}

void Candidates::add(std::vector<std::string> folders, const std::string& name, const fs::path& file,
                     int64_t modified, size_t outside) {
  if (sources_.size() < most_sources) sources_.push_back({std::move(folders), name, file, modified, outside});
}

void Candidates::look(const fs::path& root, const std::string& name) {
  std::error_code ec;
  if (!fs::is_directory(root, ec)) {
    if (is_archive(root))
      look_into(run::read_file(root).value_or(""), {name}, 1, 0);
    else if (is_source(root))
      add({}, name, root, modified_of(root), 0);
    else
      notes_.push_back((name.empty() ? root.filename().string() : name) +
                       (is_other_archive(root) ? " is an archive that is not read; pack it as zip"
                                               : " is no source and no archive"));
    return;
  }
  for (auto it = fs::recursive_directory_iterator(root, ec); it != fs::recursive_directory_iterator();
       it.increment(ec)) {
    if (ec) break;
    const fs::path relative = it->path().lexically_relative(root);
    const std::string own = relative.filename().string();
    if (it->is_directory(ec)) {
      if (it->is_symlink(ec)) notes_.push_back(relative.string() + " is a link to a folder: not followed");
      if (it->is_symlink(ec) || skipped_folder(own)) it.disable_recursion_pending();
      continue;
    }
    std::vector<std::string> folders;
    for (const auto& part : relative.parent_path()) folders.push_back(part.string());
    const size_t depth = folders.size();
    if (is_source(it->path())) {
      if (!it->is_regular_file(ec))
        continue;  // what it is, its step's row says
      else if (it->is_symlink(ec) && !lies_in(it->path(), root))
        notes_.push_back(relative.string() + " is a link out of the submission: not followed");
      else
        add(std::move(folders), own, it->path(), modified_of(it->path()), depth);
    } else if (is_archive(it->path()) && it->is_regular_file(ec) && !it->is_symlink(ec)) {
      folders.push_back(own);
      look_into(run::read_file(it->path()).value_or(""), folders, 1, depth + 1);
    } else if (is_other_archive(it->path())) {
      notes_.push_back(relative.string() + " is an archive that is not read; pack it as zip");
    }
  }
}

void Candidates::look_into(const std::string& bytes, const std::vector<std::string>& folders, int depth,
                           size_t outside) {
  const std::string shown = folders.empty() ? std::string() : folders.back();
  const Unpacked all = unpack_apart(bytes);
  for (const auto& n : all.notes) notes_.push_back(shown + ": " + n);
  for (const Entry& e : all.entries) {
    std::vector<std::string> above = folders;
    bool skipped = false;
    const fs::path path = e.path;
    for (const auto& part : path.parent_path()) {
      skipped = skipped || skipped_folder(part.string());
      above.push_back(part.string());
    }
    const std::string own = path.filename().string();
    if (skipped || own[0] == '.') continue;
    if (is_source(path)) {
      if (sources_.size() < most_sources) add(above, own, unpacked_.keep(e.text), e.modified, outside);
    } else if (!is_archive(path)) {
      continue;
    } else if (depth < deepest_archive) {
      above.push_back(own);
      look_into(e.text, above, depth + 1, outside);
    } else {
      notes_.push_back(shown + ": " + own + " is an archive too deep within others");
    }
  }
}

const Lab* Candidates::lab_of(const Source& s) const {
  for (auto f = s.folders.rbegin(); f != s.folders.rend(); ++f)
    if (const Lab* lab = lab_named(catalog_, bare(*f))) return lab;
  return nullptr;
}

Candidates::Choice Candidates::choose(const std::string& deadline) const {
  Choice c;
  c.notes = notes_;
  // Attempts first: one of them is the submission, the others are not looked at.
  std::vector<Attempt> attempts;
  for (const Source& s : sources_)
    if (const auto a = attempt_of(s.folders, s.outside);
        a &&
        std::none_of(attempts.begin(), attempts.end(), [&](const Attempt& b) { return b.name == a->name; }))
      attempts.push_back(*a);
  std::sort(attempts.begin(), attempts.end(),
            [](const Attempt& a, const Attempt& b) { return a.order() < b.order(); });
  std::string counts;
  if (!attempts.empty()) {
    const auto limit = read_time(deadline);
    const Attempt* last = &attempts.back();
    if (limit)
      for (const Attempt& a : attempts)
        if (a.time && *a.time <= *limit) last = &a;
    if (limit && last->time && *last->time > *limit) last = &attempts.back();
    counts = last->name;
    if (last->time) c.submitted = time_words(*last->time);
    if (attempts.size() > 1)
      c.notes.push_back(fmt::format("{} attempts; {} counts{}", attempts.size(), last->name,
                                    limit && last->time ? ", the last until the deadline" : ", the last"));
  }
  std::vector<const Source*> sources;
  for (const Source& s : sources_) {
    const auto a = attempt_of(s.folders, s.outside);
    if (counts.empty() || !a || a->name == counts) sources.push_back(&s);
  }

  std::map<const Step*, std::vector<std::pair<int, const Source*>>> all;
  for (const Source* s : sources) {
    const Lab* lab = lab_of(*s);
    bool known = false;  // as a step of the catalog; such a file is no riddle, but isn't of this course
    for (const Step* step : steps_)
      if (!lab || lab->name == step->lab)
        if (const int name = names_step(s->name, *step)) {
          all[step].emplace_back(name + (lab ? 10 : 0), s);
          known = true;
        }
    for (const Lab& other : catalog_.labs)
      if (!known && (!lab || lab == &other))
        known = std::any_of(other.steps.begin(), other.steps.end(),
                            [&](const Step& x) { return names_step(s->name, x) > 0; });
    if (!known) c.unknown.push_back(s->shown());
  }
  for (const Step* step : steps_) {
    auto& fits = all[step];
    // A name alone may be several steps': the one whose starter is most alike.
    std::erase_if(fits, [&](const auto& f) {
      if (f.first >= 10) return false;
      const auto text = run::read_file(f.second->file);
      const auto alike = [&](const Step& other) {
        const auto starter = run::read_file(catalog_.student_file(other));
        return starter && text ? similarity(fingerprints(*text), fingerprints(*starter)) : 0.0;
      };
      const double mine = alike(*step);
      for (const Step* other : steps_)
        if (other != step && names_step(f.second->name, *other) >= f.first && alike(*other) > mine)
          return true;
      return false;
    });
    if (fits.empty()) continue;
    std::stable_sort(fits.begin(), fits.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.first, a.second->modified) > std::tuple(b.first, b.second->modified);
    });
    const Source* best = fits[0].second;
    c.files[step->id()] = best->file;
    if (fits.size() > 1)
      c.notes.push_back(fmt::format("{}: {} counts, not {}{}", step->id(), best->shown(),
                                    fits[1].second->shown(), fits.size() > 2 ? " and others" : ""));
    else if (fits[0].first % 10 == 1)
      c.notes.push_back(fmt::format("{}: {} is taken for it", step->id(), best->shown()));
  }
  return c;
}

}  // namespace dojo::grade
