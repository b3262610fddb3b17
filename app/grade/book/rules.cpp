#include "grade/book/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grade/book/calendar.hpp"
#include "grade/secret.hpp"

namespace dojo::grade {
namespace {

void say(Row& r, const std::string& words) { r.comment += (r.comment.empty() ? "" : "; ") + words; }

std::string id_of(const Row& r) { return r.lab + "/" + r.step; }

void charge_lateness(const LateRule& rule, Row& r, const std::string& until) {
  if (until.empty() || r.status == RowStatus::missing || r.status == RowStatus::not_graded) return;
  if (r.submitted.empty()) {
    if (r.marked_late) say(r, "handed in late; the time is not known, so nothing is taken off");
    return;
  }
  r.late_days = days_late(r.submitted, until, rule.grace_minutes);
  if (r.late_days == 0) return;
  const double before = r.points;
  if (r.late_days > rule.days)
    r.points = 0;
  else
    r.points = std::max(0.0, r.points * (1 - rule.per_day * r.late_days));
  std::string words = fmt::format("{} day{} late", r.late_days, r.late_days == 1 ? "" : "s");
  if (r.late_days > rule.days) words += fmt::format(", more than {}", rule.days);
  const std::string off = fmt::format("{:.6g}", before - r.points);
  if (before > r.points) words += fmt::format(": {} point{} taken off", off, off == "1" ? "" : "s");
  say(r, words);
}

void adjust(const std::vector<Adjustment>& all, Row& r) {
  for (const Adjustment& a : all) {
    if (a.student != r.student || a.step != id_of(r)) continue;
    const double before = r.points;
    r.points = a.set ? *a.set : std::max(0.0, r.points + a.points.value_or(0));
    say(r, fmt::format("{:.6g} -> {:.6g} points: {}", before, r.points, a.comment));
  }
}

void leave_out(Row& r, const std::string& why) {
  r.counts = false;
  say(r, why);
}

/// The lowest shares of each student's steps that count; of equal ones the later. One step always stays: who
/// is excused from the rest keeps the points of that one.
void drop(int lowest, std::vector<Row>& rows) {
  std::map<std::string, std::vector<Row*>> people;
  for (Row& r : rows)
    if (r.counts && r.max_points > 0) people[r.student].push_back(&r);
  for (auto& [student, mine] : people) {
    std::reverse(mine.begin(), mine.end());
    std::stable_sort(mine.begin(), mine.end(), [](const Row* a, const Row* b) {
      return a->points * b->max_points < b->points * a->max_points;
    });
    for (size_t i = 0; i + 1 < mine.size() && i < size_t(lowest); ++i)
      leave_out(*mine[i], "dropped: one of the lowest");
  }
}

}  // namespace

std::string due(const std::string& deadline, const std::string& extension) {
  const auto at = read_moment(deadline);
  if (!at) return {};
  if (const auto span = read_span(extension)) return moment_words({at->wall + *span, at->offset});
  if (const auto until = read_moment(extension))
    return moment_words(seconds_between(*at, *until) > 0 ? *until : *at);
  return moment_words(*at);
}

std::string last_moment(const Course& course, const CourseStep& step, const std::string& extension) {
  const std::string until = due(step.deadline, extension);
  const auto at = read_moment(until);
  if (!at || !course.late) return until;
  return moment_words({at->wall + int64_t(course.late->grace_minutes) * 60, at->offset});
}

std::string extension_of(const std::string& student, const Overrides& overrides, const Roster& roster) {
  if (const auto it = overrides.students.find(student);
      it != overrides.students.end() && !it->second.extension.empty())
    return it->second.extension;
  const Person* p = roster.find(student);
  return p ? p->extension : std::string();
}

int days_late(const std::string& submitted, const std::string& until, int grace_minutes) {
  const auto s = read_moment(submitted), d = read_moment(until);
  if (!s || !d) return 0;
  const int64_t late = seconds_between(*d, *s);
  return late <= int64_t(grace_minutes) * 60 ? 0 : int((late + 86399) / 86400);
}

void apply_rules(const Course& course, const Roster& roster, const Overrides& overrides,
                 std::vector<Row>& rows) {
  for (Row& r : rows) {
    if (r.raw_points < 0) r.raw_points = r.points, r.raw_max_points = r.max_points;
    r.points = r.raw_points, r.max_points = r.raw_max_points;
    r.comment.clear(), r.late_days = 0, r.counts = true, r.excused = false;
    const auto mine = overrides.students.find(r.student);
    if (mine != overrides.students.end() && !mine->second.submitted.empty())
      r.submitted = mine->second.submitted;
    if (course.late)
      charge_lateness(*course.late, r, due(r.deadline, extension_of(r.student, overrides, roster)));
    adjust(overrides.adjustments, r);
    if (mine != overrides.students.end()) {
      const auto& excused = mine->second.excused;
      r.excused = std::find(excused.begin(), excused.end(), id_of(r)) != excused.end();
      if (r.excused) leave_out(r, "excused");
    }
  }
  if (course.drop_lowest > 0) drop(course.drop_lowest, rows);
}

void apply_rules_after_merge(const Course& course, const Roster& roster, const Overrides& overrides,
                             const std::set<std::string>& graded, std::vector<Row>& rows) {
  std::set<std::string> touched = graded;
  for (const auto& [id, what] : overrides.students) touched.insert(id);
  for (const auto& a : overrides.adjustments) touched.insert(a.student);
  for (const auto& p : roster.people) touched.insert(p.id);
  std::vector<Row> ruled;
  for (const Row& r : rows)
    if (touched.count(r.student)) ruled.push_back(r);
  apply_rules(course, roster, overrides, ruled);
  auto next = ruled.begin();
  for (Row& r : rows)
    if (touched.count(r.student)) r = *next++;
}

Total total_of(const std::vector<Row>& rows, const std::string& student) {
  Total t;
  for (const Row& r : rows)
    if (r.student == student && r.counts) t.points += r.points, t.max_points += r.max_points;
  return t;
}

std::vector<Row> merge(std::vector<Row> old, const std::vector<Row>& now) {
  std::map<std::string, size_t> place;
  for (size_t i = 0; i < old.size(); ++i) place[old[i].key()] = i;
  for (const Row& r : now)
    if (const auto it = place.find(r.key()); it != place.end())
      old[it->second] = r;
    else
      old.push_back(r);
  // A student's rows stay together, new ones behind the old.
  std::map<std::string, size_t> order;
  for (const Row& r : old) order.emplace(r.student, order.size());
  std::stable_sort(old.begin(), old.end(),
                   [&](const Row& a, const Row& b) { return order[a.student] < order[b.student]; });
  return old;
}

std::vector<Anonymous> anonymous_names(const std::string& secret, std::vector<Row>& rows) {
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (const Row& r : rows) names.emplace(r.student, "");
  for (auto& [student, name] : names)
    for (int k = 0; name.empty() || !taken.insert(name).second; ++k)
      name = fmt::format("anon-{:08x}", uint32_t(hidden_seed("anonymous|" + secret, student, k)));
  for (Row& r : rows) r.student = names[r.student];
  // In the order of real names a class list would say who is who.
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.student < b.student; });
  std::vector<Anonymous> all;
  for (const auto& [student, name] : names) all.push_back({name, student});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace dojo::grade
