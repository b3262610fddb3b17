#include "grade/exports/gradebooks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "grade/book/rules.hpp"
#include "grade/intake/csv.hpp"
#include "grade/intake/roster.hpp"

namespace dojo::grade {
namespace {

std::vector<std::string> students_of(const std::vector<Row>& rows) {
  std::vector<std::string> all;
  for (const Row& r : rows)
    if (std::find(all.begin(), all.end(), r.student) == all.end()) all.push_back(r.student);
  return all;
}

Person person_of(const Course& course, const std::string& student) {
  const Person* p = course.roster ? course.roster->find(student) : nullptr;
  return p ? *p : Person{student, student, {}, {}, {}};
}

bool is_number_text(const std::string& s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::string feedback(const std::vector<Row>& rows, const std::string& student) {
  std::string all;
  for (const Row& r : rows) {
    if (r.student != student) continue;
    if (!all.empty()) all += " | ";
    if (!r.counts && r.status == RowStatus::missing) {
      all += fmt::format("{}/{}: {}", r.lab, r.step, r.comment);  // of an excused step nothing is asked
      continue;
    }
    const std::string words = words_for_student(r);
    all += fmt::format("{}/{}: {:.6g} of {:.6g}{}{}", r.lab, r.step, r.points, r.max_points,
                       words.empty() ? "" : ". ", words);
  }
  return all;
}

/// The most that any student can have: who is excused from a step keeps the whole scale.
double scale_of(const Course& course, const std::vector<Row>& rows) {
  double most = 0;
  for (const CourseStep& c : course.steps) most += c.points;
  for (const std::string& s : students_of(rows)) most = std::max(most, total_of(rows, s).max_points);
  return most;
}

/// Empty, which is no grade, for who is excused from everything.
std::string scaled(const Total& t, double most) {
  return t.max_points > 0 ? fmt::format("{:.6g}", t.points / t.max_points * most) : std::string();
}

}  // namespace

std::string canvas(const Course& course, const std::vector<Row>& rows) {
  const double most = scale_of(course, rows);
  const std::string title = csv_cell(course.title);
  std::string text = "Student,ID,SIS User ID,SIS Login ID,Section," + title + "\n";
  text += fmt::format("    Points Possible,,,,,{:.6g}\n", most);
  for (const std::string& s : students_of(rows)) {
    const Person p = person_of(course, s);
    const Total t = total_of(rows, s);
    text += fmt::format("{},{},{},{},{},{}\n", csv_cell(p.name.empty() ? p.id : p.name),
                        is_number_text(p.id) ? p.id : "", csv_cell(is_number_text(p.id) ? "" : p.id),
                        csv_cell(p.email), csv_cell(p.section), scaled(t, most));
  }
  return text;
}

std::string moodle(const Course& course, const std::vector<Row>& rows) {
  std::string text = "ID number,Full name,Email address," + csv_cell(course.title) + ",Feedback comments\n";
  const double most = scale_of(course, rows);
  for (const std::string& s : students_of(rows)) {
    const Person p = person_of(course, s);
    const Total t = total_of(rows, s);
    text += fmt::format("{},{},{},{},{}\n", csv_cell(p.id), csv_cell(p.name), csv_cell(p.email),
                        scaled(t, most), csv_cell(feedback(rows, s)));
  }
  return text;
}

}  // namespace dojo::grade
