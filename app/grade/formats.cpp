// Gradescope's results.json (autograder specification: "tests" with score, max_score, name, output,
// visibility), CSV, JSON. Other platforms and gradebooks are in exports/. JUnit XML and the console are
// doctest's own (see verdicts_main.cc).
#include "grade/formats.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/json_words.hpp"
#include "grade/exports/gradebooks.hpp"
#include "grade/exports/platforms.hpp"
#include "grade/intake/csv.hpp"

namespace dojo::grade {
namespace {

using nlohmann::json;

std::string dump(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string as_json(const Course& course, const std::vector<Row>& rows) {
  json j{{"schema", "warpdojo/grades/1"},
         {"course", course.title},
         {"sandbox", course.sandbox},
         {"rows", json::array()}};
  for (const auto& r : rows) j["rows"].push_back(json::parse(to_json(r)));
  return dump(j);
}

/// A hidden step as one check without a name: the names of gates say what it asks for.
std::vector<Check> sum_of_checks(const Row& r) {
  Check all;
  all.passed = r.status == RowStatus::pass;
  for (const Check& c : r.checks) all.points += c.points, all.max_points += c.max_points;
  return {all};
}

// One submission a container: all rows of the (only) student.
std::string gradescope(const Course& course, const std::vector<Row>& rows) {
  json tests = json::array();
  double points = 0;
  for (const auto& r : rows) {
    if (r.counts) points += r.points;
    int n = 0;
    for (const auto& c : r.hidden ? sum_of_checks(r) : r.checks) {
      tests.push_back({{"name", r.lab + "/" + r.step + (c.name.empty() ? "" : ": " + c.name)},
                       {"number", fmt::format("{}.{}", r.lab + "/" + r.step, ++n)},
                       {"score", c.points},
                       {"max_score", c.max_points},
                       {"status", c.passed ? "passed" : "failed"},
                       {"output", c.message},
                       {"visibility", r.visibility}});
    }
  }
  std::string version = rows.empty() ? "" : rows.front().model_version;
  std::string output = "Graded by WarpDojo on the SIMT machine, model version " + version + "." +
                       (course.sandbox.empty() ? "" : " Sandbox: " + course.sandbox + ".");
  for (const auto& r : rows)
    if (!r.hidden && !r.comment.empty()) output += "\n" + r.lab + "/" + r.step + ": " + r.comment;
  return dump({{"score", points},
               {"output", output},
               {"visibility", "visible"},
               {"stdout_visibility", "hidden"},
               {"tests", tests}});
}

std::string csv(const Course&, const std::vector<Row>& rows) {
  std::string text = csv_header();
  for (const auto& r : rows) text += csv_line(r);
  return text;
}

constexpr const char* csv_columns = "student,lab,step,status,points,max_points,time_us,model_version,message";

std::string as_points(double v) { return fmt::format("{:.6g}", v); }

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"csv", "a row a student and step", csv},
      {"json", "everything", as_json},
      {"gradescope", "results.json of one submission", gradescope, true},
      {"prairielearn", "results.json of PrairieLearn's external grader", prairielearn, true},
      {"classroom50", "result.json of Classroom 50", classroom50, true},
      {"canvas", "totals for Canvas's gradebook", canvas},
      {"moodle", "totals for Moodle's gradebook", moodle},
  };
  return all;
}

std::string format_names(bool of_a_class) {
  std::string names;
  for (const auto& f : formats())
    if (!of_a_class || !f.one_student) names += (names.empty() ? "" : ", ") + f.name;
  return names;
}

void refuse_class(const Format& f, const std::string& here) {
  throw Error("--format " + f.name + " is for one student's submission; here are " + here +
              ". For a class use one of " + format_names(true));
}

std::string export_text(const Format& f, const Course& course, const std::vector<Row>& rows) {
  if (f.one_student)
    for (const Row& r : rows)
      if (r.student != rows.front().student)
        refuse_class(f, rows.front().student + ", " + r.student + " and perhaps more");
  return f.text(course, rows);
}

const Format& find_format(const std::string& name) {
  if (name == "classroom")
    throw Error(
        "GitHub Classroom ended on 2026-08-28. Its successor is Classroom 50: --format classroom50 "
        "(docs/instructor.md)");
  for (const auto& f : formats())
    if (f.name == name) return f;
  throw Error("there is no format '" + name + "'; there are " + format_names() + ", junit and console");
}

std::string csv_header() {
  return csv_columns + std::string(",submitted,late_days,raw_points,counts,comment\n");
}

std::string csv_line(const Row& r) {
  return fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{},{},{},{},{:.6g},{},{}\n", csv_cell(r.student),
                     csv_cell(r.lab), csv_cell(r.step), to_string(r.status), r.points, r.max_points,
                     r.time_us, csv_cell(r.model_version), csv_cell(r.message), r.submitted, r.late_days,
                     r.raw_points < 0 ? r.points : r.raw_points,
                     r.excused  ? "excused"
                     : r.counts ? "yes"
                                : "no",
                     csv_cell(r.comment));
}

std::vector<Row> read_csv(const std::string& text) {
  std::vector<Row> rows;
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool whole = end < text.size();
    at = end + 1;
    if (++number == 1) {
      if (!line.starts_with(csv_columns)) throw Error("line 1: not a CSV of grades");
      continue;
    }
    if (!whole) break;  // a grader that was killed while writing leaves half a line
    const auto c = csv_cells(line);
    if (c.size() < 9) throw Error(fmt::format("line {}: {} cells, fewer than 9", number, c.size()));
    try {
      Row r;
      r.student = c[0], r.lab = c[1], r.step = c[2], r.status = row_status(c[3]);
      r.points = std::stod(c[4]), r.max_points = std::stod(c[5]), r.time_us = std::stod(c[6]);
      r.model_version = c[7], r.message = c[8];
      if (c.size() >= 14) {
        r.submitted = c[9], r.late_days = std::stoi(c[10]), r.raw_points = std::stod(c[11]);
        if (c[12] != "yes" && c[12] != "no" && c[12] != "excused")
          throw Error("counts is '" + c[12] + "': yes, no or excused");
        r.counts = c[12] == "yes", r.excused = c[12] == "excused", r.comment = c[13];
      }
      rows.push_back(std::move(r));
    } catch (const Error& e) {
      throw Error(fmt::format("line {}: {}", number, e.what()));
    } catch (const std::exception&) {
      throw Error(fmt::format("line {}: points and time are numbers", number));
    }
  }
  return rows;
}

std::vector<Row> read_json(const std::string& text) {
  std::vector<Row> rows;
  try {
    const json j = json::parse(text);
    if (j.value("schema", "") != "warpdojo/grades/1") throw Error("not a file of --format json");
    for (const auto& r : j.at("rows")) rows.push_back(row_from_json(r.dump()));
  } catch (const json::exception& e) {
    throw Error("not a file of --format json: " + json_words(e, text));
  }
  return rows;
}

std::string compare(const std::vector<Row>& old, const std::vector<Row>& now) {
  std::map<std::string, const Row*> before;
  for (const auto& r : old) before[r.key()] = &r;
  std::string text;
  for (const auto& r : now) {
    const auto it = before.find(r.key());
    if (it == before.end()) {
      text += fmt::format("{}: new, {:.6g} of {:.6g}\n", r.key(), r.points, r.max_points);
      continue;
    }
    const Row& o = *it->second;
    before.erase(it);
    // As the table shows them: a third of a point is no change of a third of a point.
    if (as_points(o.points) != as_points(r.points) || o.status != r.status)
      text += fmt::format("{}: {:.6g} -> {:.6g} points, {} -> {}\n", r.key(), o.points, r.points,
                          to_string(o.status), to_string(r.status));
  }
  for (const auto& [key, r] : before) text += fmt::format("{}: gone, had {:.6g}\n", key, r->points);
  return text.empty() ? "no grade changes\n" : text;
}

}  // namespace dojo::grade
