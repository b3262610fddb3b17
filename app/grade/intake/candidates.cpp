#include "grade/intake/candidates.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "core/files/whole_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/intake/archive.hpp"
#include "grade/intake/intake.hpp"
#include "grade/intake/layout.hpp"
#include "grade/intake/unpack_child.hpp"
#include "grade/similarity.hpp"

namespace dojo::grade {
namespace {

constexpr int deepest_archive = 3;
constexpr size_t most_sources = 4000;
constexpr int most_archives = 100;
constexpr uint64_t most_unpacked = uint64_t(256) << 20;

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

bool is_source(const fs::path& p) { return source_stem(p.filename().string()).has_value(); }

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

void Candidates::collect(const fs::path& root, const std::string& name) {
  std::error_code ec;
  if (!fs::is_directory(root, ec)) {
    if (is_archive(root))
      collect_archive(read_or_empty(root), {name}, 1, 0);
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
      collect_archive(read_or_empty(it->path()), folders, 1, depth + 1);
    } else if (is_other_archive(it->path())) {
      notes_.push_back(relative.string() + " is an archive that is not read; pack it as zip");
    }
  }
}

void Candidates::collect_archive(const std::string& bytes, const std::vector<std::string>& folders, int depth,
                                 size_t outside) {
  const std::string shown = folders.empty() ? std::string() : folders.back();
  if (archives_ == most_archives || unpacked_bytes_ >= most_unpacked) {
    if (!full_)
      notes_.push_back(
          fmt::format("more than {} archives, or {} MiB within them; {} and later ones are not read",
                      most_archives, most_unpacked >> 20, shown));
    full_ = true;
    return;
  }
  ++archives_;
  const Unpacked all = unpack_apart(bytes, most_unpacked - unpacked_bytes_);
  for (const Entry& e : all.entries) unpacked_bytes_ += e.text.size();
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
      collect_archive(e.text, above, depth + 1, outside);
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

namespace {

/// Of the attempts, in order, the last one until the deadline; if all are later, the last.
const Attempt* last_until(const std::vector<Attempt>& attempts, const std::string& deadline) {
  if (attempts.empty()) return nullptr;
  const Attempt* last = &attempts.back();
  if (const auto limit = read_time(deadline); limit && last->time && *last->time > *limit)
    for (const Attempt& a : attempts)
      if (a.time && *a.time <= *limit) last = &a;
  return last;
}

/// "2 attempts; attempt-2 counts, the last", or which one counts for which step.
std::string words_of(const std::vector<Attempt>& attempts,
                     const std::map<std::string, const Attempt*>& by_step, bool timed) {
  std::map<std::string, std::string> steps;  // by the attempt that counts
  for (const auto& [step, a] : by_step) {
    std::string& all = steps[a->name];
    all += (all.empty() ? "" : ", ") + step;
  }
  std::string words = fmt::format("{} attempts; ", attempts.size());
  if (steps.size() <= 1)
    return words + (steps.empty() ? attempts.back().name : steps.begin()->first) + " counts, the last" +
           (timed ? " until the deadline" : "");
  for (const auto& [name, all] : steps)
    words += (name == steps.begin()->first ? "" : "; ") + name + " counts for " + all;
  return words + ": the last that holds the step" + (timed ? ", until its deadline" : "");
}

}  // namespace

std::vector<Candidates::Fit> Candidates::fits_of(const Step& step) const {
  std::vector<Fit> fits;
  for (const Source& s : sources_) {
    const Lab* lab = lab_of(s);
    if (lab && lab->name != step.lab) continue;
    if (const NameMatch name = match_name(s.name, step); name != NameMatch::none)
      fits.push_back({lab != nullptr, name, &s});
  }
  // A name alone may be several steps': the one whose starter is most alike.
  std::erase_if(fits, [&](const Fit& f) {
    if (f.in_lab) return false;
    const auto text = read_file(f.source->file);
    const auto alike = [&](const Step& other) {
      const auto starter = read_file(catalog_.student_file(other));
      return starter && text ? similarity(fingerprints(*text), fingerprints(*starter)) : 0.0;
    };
    const double mine = alike(step);
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step* other) {
      return other != &step && match_name(f.source->name, *other) >= f.name && alike(*other) > mine;
    });
  });
  return fits;
}

/// Does it stand for a step of the catalog? Such a file is no riddle, even where it isn't of this course.
bool Candidates::is_known(const Source& s) const {
  const Lab* lab = lab_of(s);
  const auto named = [&](const Step& step) { return match_name(s.name, step) != NameMatch::none; };
  return std::any_of(catalog_.labs.begin(), catalog_.labs.end(), [&](const Lab& l) {
    return (!lab || lab == &l) && std::any_of(l.steps.begin(), l.steps.end(), named);
  });
}

Candidates::Choice Candidates::choose(
    const std::function<std::string(const std::string& step)>& deadline) const {
  Choice c;
  c.unread = c.notes = notes_;
  const auto sorted = [](std::vector<Attempt> all) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.order() < b.order(); });
    all.erase(
        std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name == b.name; }),
        all.end());
    return all;
  };
  std::vector<Attempt> attempts;
  for (const Source& s : sources_)
    if (const auto a = attempt_of(s.folders, s.outside)) attempts.push_back(*a);
  attempts = sorted(std::move(attempts));

  std::map<std::string, const Attempt*> counts;  // by step
  std::vector<std::string> choices;
  bool timed = false;  // a deadline was asked for
  for (const Step* step : steps_) {
    auto fits = fits_of(*step);
    std::vector<Attempt> holding;
    for (const Fit& f : fits)
      if (const auto a = attempt_of(f.source->folders, f.source->outside)) holding.push_back(*a);
    holding = sorted(std::move(holding));
    const std::string until = deadline(step->id());
    if (const Attempt* last = last_until(holding, until)) {
      timed = timed || (last->time && !until.empty());
      std::erase_if(fits, [&](const Fit& f) {
        const auto a = attempt_of(f.source->folders, f.source->outside);
        return a && a->name != last->name;
      });
      counts[step->id()] = &*std::find_if(attempts.begin(), attempts.end(),
                                          [&](const Attempt& a) { return a.name == last->name; });
      if (last->time) {
        const std::string when = c.submitted_by_step[step->id()] = time_words(*last->time);
        c.submitted = std::max(c.submitted, when);
      }
    }
    if (fits.empty()) continue;
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
      return std::tuple(a.in_lab, a.name, a.source->modified) >
             std::tuple(b.in_lab, b.name, b.source->modified);
    });
    const Source* best = fits[0].source;
    c.files[step->id()] = best->file;
    if (fits.size() > 1)
      choices.push_back(fmt::format("{}: {} counts, not {}{}", step->id(), best->shown(),
                                    fits[1].source->shown(), fits.size() > 2 ? " and others" : ""));
    else if (fits[0].name == NameMatch::similar)
      choices.push_back(fmt::format("{}: {} is taken for it", step->id(), best->shown()));
  }
  if (attempts.size() > 1) c.notes.push_back(words_of(attempts, counts, timed));
  c.notes.insert(c.notes.end(), choices.begin(), choices.end());
  // Of attempts that don't count nothing is said.
  for (const Source& s : sources_) {
    const auto a = attempt_of(s.folders, s.outside);
    const bool looked_at =
        !a || (counts.empty() ? a->name == attempts.back().name
                              : std::any_of(counts.begin(), counts.end(),
                                            [&](const auto& x) { return x.second->name == a->name; }));
    if (looked_at && !is_known(s)) c.unknown.push_back(s.shown());
  }
  return c;
}

}  // namespace dojo::grade
