#include "gui/model/teaching/submissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "grade/formats.hpp"
#include "simt/time/version.hpp"

namespace dojo::gui {

namespace {
run::Sandbox probe_here() { return run::probe_sandbox(program_path().string(), run::whole_sandbox()); }
const char* const no_sandbox =
    "No sandbox can be had here (Landlock needs Linux 5.13 or newer; else install bubblewrap). Submissions "
    "are hostile "
    "input: use another machine, or, if you trust these files, switch the sandbox off.";
}  // namespace

Submissions::Submissions(std::function<void()> wake, Grade grade, Probe probe)
    : wake_(std::move(wake)), grade_(std::move(grade)), probe_(probe ? std::move(probe) : probe_here) {}

Submissions::~Submissions() { join(); }

void Submissions::join() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
  grading_ = false;
}

void Submissions::close() {
  join();
  people_.clear();
  rows_.clear();
  order_.clear();
  index_.clear();
  handed_in_.clear();
  at_ = -1;
  done_ = all_ = 0;
  last_.clear();
}

bool Submissions::open(const Catalog& catalog, const std::string& path, const std::string& course_file) {
  std::string clean = path;
  if (clean.starts_with("file://")) clean.erase(0, 7);
  while (clean.size() > 1 && (clean.back() == '/' || clean.back() == '\n' || clean.back() == '\r'))
    clean.pop_back();
  error_.clear();
  grade::Course course;
  std::vector<grade::Submission> people;
  try {
    course = course_file.empty() ? grade::whole_catalog(catalog) : grade::load_course(course_file, catalog);
    people = grade::find_submissions({clean}, catalog);
  } catch (const std::exception& e) {
    error_ = error_words(e);
    return false;
  }
  close();
  catalog_ = std::make_shared<const Catalog>(catalog);
  path_ = clean;
  course_ = std::move(course);
  whole_catalog_ = course_file.empty();
  people_ = std::move(people);
  if (!sandbox_.valid()) sandbox_ = std::async(std::launch::async, probe_).share();
  for (auto& p : people_)
    for (auto& c : course_.steps) {
      const Step& s = catalog_->find(c.step);
      std::error_code ec;
      if (!fs::is_directory(p.folder, ec) && p.folder.filename() != s.file) continue;
      grade::Row r;
      r.student = grade::clean_text(p.student, 200);
      r.lab = s.lab;
      r.step = s.stem();
      r.max_points = c.points;
      r.hidden = c.hidden;
      r.deadline = c.deadline;
      if (!grade::file_of(p, s, catalog_->lab_of(s)).empty())
        handed_in_.insert(c.step);
      else if (p.unread.empty())
        r.message = "nothing handed in";
      else
        r.message = grade::read_handed_in(p, s, catalog_->lab_of(s)).why_not;
      index_.emplace(r.key(), int(rows_.size()));
      rows_.push_back(std::move(r));
    }
  resort();
  return true;
}

std::string Submissions::step_of(int i) const { return rows_[size_t(i)].lab + "/" + rows_[size_t(i)].step; }

std::shared_ptr<const StandIn> Submissions::file_of(int i) const {
  auto& r = rows_[size_t(i)];
  auto in = std::make_shared<StandIn>();
  in->kind = StandIn::submission;
  in->label = r.student;
  const Step& s = catalog_->find(step_of(i));
  for (auto& p : people_) {
    if (grade::clean_text(p.student, 200) != r.student) continue;
    grade::HandedIn h = grade::read_handed_in(p, s, catalog_->lab_of(s));
    in->file = grade::file_of(p, s, catalog_->lab_of(s));
    in->text = std::move(h.text);
    in->missing = !h.found;
    in->words = h.found ? h.name : h.why_not;
    break;
  }
  if (r.status != grade::RowStatus::none) {
    std::string status = to_string(r.status);
    std::replace(status.begin(), status.end(), '_', ' ');
    in->words += fmt::format("{} Graded: {}, {:g} of {:g} points.", in->missing ? "" : ".", status, r.points,
                             r.max_points);
    // Of a missing file the message is the reason, which stands above.
    if (!r.message.empty() && !in->missing) in->words += " " + r.message;
  }
  return in;
}

std::shared_ptr<const StandIn> Submissions::open_row(int i) {
  at_ = i;
  return file_of(i);
}

std::shared_ptr<const StandIn> Submissions::go(int direction) {
  if (at_ < 0) return nullptr;
  const std::string step = step_of(at_);
  for (int i = at_ + direction; i >= 0 && i < int(rows_.size()); i += direction)
    if (step_of(i) == step) return open_row(i);
  return nullptr;
}

std::string Submissions::position() const {
  if (at_ < 0) return "";
  std::string who = rows_[size_t(at_)].student;
  size_t k = 0;
  for (size_t i = 0; i < people_.size(); ++i)
    if (grade::clean_text(people_[i].student, 200) == who) k = i + 1;
  return fmt::format("{}, {} of {}", who, k, people_.size());
}

void Submissions::sort(Column by, bool ascending) {
  by_ = by;
  ascending_ = ascending;
  resort();
}

void Submissions::resort() {
  order_.clear();
  for (size_t i = 0; i < rows_.size(); ++i)
    if (!whole_catalog_ || handed_in_.contains(step_of(int(i)))) order_.push_back(int(i));
  auto less = [&](const grade::Row& a, const grade::Row& b) {
    switch (by_) {
      case student:
        return a.student < b.student;
      case step:
        return false;  // by place in the course, below
      case status:
        return std::string_view(to_string(a.status)) < to_string(b.status);
      case points:
        return a.points < b.points;
      case time:
        return a.time_us < b.time_us;
      case message:
        return a.message < b.message;
    }
    return false;
  };
  std::map<std::string, int> place;
  for (auto& c : course_.steps) place.emplace(c.step, int(place.size()));
  std::stable_sort(order_.begin(), order_.end(), [&](int x, int y) {
    auto &a = rows_[size_t(x)], &b = rows_[size_t(y)];
    if (by_ == step) {
      int p = place[a.lab + "/" + a.step], q = place[b.lab + "/" + b.step];
      return ascending_ ? p < q : q < p;
    }
    // Rows that were not graded have no outcome to sort by: they stay behind.
    const bool graded = a.status != grade::RowStatus::none, other_graded = b.status != grade::RowStatus::none;
    if (by_ != student && by_ != message && graded != other_graded) return graded;
    return ascending_ ? less(a, b) : less(b, a);
  });
}

std::string Submissions::csv() const {
  std::vector<grade::Row> there;
  for (auto& r : rows_)
    if (r.status != grade::RowStatus::none) there.push_back(r);
  return grade::find_format("csv").text(course_, there);
}

bool Submissions::grade(const std::string& secret, int jobs, bool trust) {
  error_.clear();
  if (grading_ || people_.empty()) return false;
  if (!course_.model_version.empty() && course_.model_version != simt::model_version()) {
    error_ = "The course pins model version " + course_.model_version + ", this WarpDojo has " +
             simt::model_version() + ".";
    return false;
  }
  if (thread_.joinable()) thread_.join();
  grading_ = true;
  stop_ = false;
  ended_ = false;
  problem_.clear();
  done_ = 0;
  all_ = int(rows_.size());
  for (auto& r : rows_) {
    r.status = grade::RowStatus::none;
    r.checks.clear();
    r.points = r.time_us = 0;
  }
  auto sandbox = sandbox_;
  thread_ = std::thread(
      [this, secret, jobs, trust, sandbox, catalog = catalog_, people = people_, course = course_]() mutable {
        std::string problem;
        try {
          grade::GradeOptions o;
          o.course = std::move(course);
          o.secret = secret;
          o.jobs = std::max(1, jobs);
          if (!trust) {
            o.sandbox = sandbox.get();
            if (!o.sandbox.closed()) throw Error(no_sandbox);
            o.course.sandbox = o.sandbox.words();
          }
          o.stopped = [this] { return stop_.load(); };
          o.row = [this](const grade::Row& r, int, int) {
            {
              const std::lock_guard lock(mutex_);
              fresh_.push_back(r);
            }
            if (wake_) wake_();
          };
          grade_(*catalog, people, o);
        } catch (const std::exception& e) {
          if (!stop_) problem = error_words(e);
        }
        {
          const std::lock_guard lock(mutex_);
          problem_ = problem;
          ended_ = true;
        }
        if (wake_) wake_();
      });
  return true;
}

void Submissions::cancel() {
  if (grading_) stop_ = true;
}

bool Submissions::poll() {
  if (!grading_) return false;
  std::vector<grade::Row> fresh;
  bool ended;
  {
    const std::lock_guard lock(mutex_);
    fresh.swap(fresh_);
    ended = ended_;
  }
  for (auto& r : fresh) {
    ++done_;
    last_ = r.key() + " " + to_string(r.status);
    if (auto it = index_.find(r.key()); it != index_.end()) rows_[size_t(it->second)] = std::move(r);
  }
  if (!fresh.empty()) resort();
  if (ended) {
    join();
    error_ = problem_;
  }
  return !fresh.empty() || ended;
}

std::string Submissions::summary() const {
  std::map<std::string, double> of;
  size_t graded = 0;
  double most = 0;
  for (auto& r : rows_) {
    graded += r.status != grade::RowStatus::none;
    if (r.status != grade::RowStatus::none) of[r.student] += r.points;
  }
  for (auto& c : course_.steps) most += c.points;
  if (graded == 0)
    return fmt::format("{} student{}, {} step{}{}", people_.size(), people_.size() == 1 ? "" : "s",
                       course_.steps.size(), course_.steps.size() == 1 ? "" : "s",
                       whole_catalog_ ? fmt::format(", {} of them handed in", handed_in_.size()) : " each");
  double sum = 0;
  for (auto& [who, p] : of) sum += p;
  return fmt::format("{} of {} graded, {:.1f} of {:g} points per student on average", graded, rows_.size(),
                     sum / double(of.size()), most);
}

std::optional<run::Sandbox> Submissions::sandbox() {
  if (!sandbox_.valid() || sandbox_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return sandbox_.get();
}

}  // namespace dojo::gui
