// Gradescope's results.json (autograder specification: "tests" with score, max_score, name, output,
// visibility), GitHub Classroom's autograding result (autograding-grading-reporter: version, status,
// max_score, tests), CSV, JSON. JUnit XML and the console are doctest's own (see verdicts_main.cc).
#include "grade/formats.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

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

// One submission a container: all rows of the (only) student.
std::string gradescope(const Course& course, const std::vector<Row>& rows) {
  json tests = json::array();
  double points = 0;
  for (const auto& r : rows) {
    points += r.points;
    int n = 0;
    for (const auto& c : r.checks) {
      tests.push_back({{"name", r.lab + "/" + r.step + ": " + c.name},
                       {"number", fmt::format("{}.{}", r.lab + "/" + r.step, ++n)},
                       {"score", c.points},
                       {"max_score", c.max_points},
                       {"status", c.passed ? "passed" : "failed"},
                       {"output", r.hidden ? std::string() : c.message},
                       {"visibility", r.visibility}});
    }
  }
  std::string version = rows.empty() ? "" : rows.front().model_version;
  return dump({{"score", points},
               {"output", "Graded by WarpDojo on the SIMT machine, model version " + version + "." +
                              (course.sandbox.empty() ? "" : " Sandbox: " + course.sandbox + ".")},
               {"visibility", "visible"},
               {"stdout_visibility", "hidden"},
               {"tests", tests}});
}

std::string classroom(const Course&, const std::vector<Row>& rows) {
  json tests = json::array();
  double most = 0;
  bool all = true;
  for (const auto& r : rows) {
    most += r.max_points;
    all = all && r.status == "pass";
    tests.push_back({{"name", r.lab + "/" + r.step},
                     {"status", r.status == "pass"                                ? "pass"
                                : r.status == "crash" || r.status == "not_graded" ? "error"
                                                                                  : "fail"},
                     {"score", r.points},
                     {"message", r.hidden ? std::string() : r.message},
                     {"test_code", "warpdojo run " + r.lab + "/" + r.step},
                     {"filename", r.step + ".cu"},
                     {"line_no", 0},
                     {"duration", 0}});
  }
  return dump({{"version", 1}, {"status", all ? "pass" : "fail"}, {"max_score", most}, {"tests", tests}});
}

std::string csv(const Course&, const std::vector<Row>& rows) {
  std::string text = csv_header();
  for (const auto& r : rows) text += csv_line(r);
  return text;
}

/// A spreadsheet takes a cell that starts like this for a formula.
bool like_a_formula(const std::string& s) {
  return !s.empty() && std::string("=+-@").find(s[0]) != std::string::npos;
}

std::string quoted(const std::string& text) {
  const std::string s = like_a_formula(text) ? "'" + text : text;
  if (s.find_first_of(",\"\r\n") == std::string::npos) return s;
  std::string out = "\"";
  for (char c : s)
    out += c == '"' ? std::string("\"\"") : c == '\n' || c == '\r' ? std::string(" ") : std::string(1, c);
  return out + "\"";
}

/// The cells of a line as they were before they were quoted.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out(1);
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inside) {
      if (c == '"' && i + 1 < line.size() && line[i + 1] == '"')
        out.back() += line[++i];
      else if (c == '"')
        inside = false;
      else
        out.back() += c;
    } else if (c == '"') {
      inside = true;
    } else if (c == ',') {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  for (auto& cell : out)
    if (cell.size() > 1 && cell[0] == '\'' && like_a_formula(cell.substr(1))) cell.erase(0, 1);
  return out;
}

std::string as_points(double v) { return fmt::format("{:.6g}", v); }

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"csv", "a row a student and step", csv},
      {"json", "everything", as_json},
      {"gradescope", "results.json of one submission", gradescope},
      {"classroom", "GitHub Classroom's autograding result", classroom},
  };
  return all;
}

const Format& find_format(const std::string& name) {
  std::string names;
  for (const auto& f : formats()) {
    if (f.name == name) return f;
    names += f.name + ", ";
  }
  throw Error("there is no format '" + name + "'; there are " + names + "junit and console");
}

std::string csv_header() {
  return "student,lab,step,status,points,max_points,time_us,model_version,message\n";
}

std::string csv_line(const Row& r) {
  return fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{},{}\n", quoted(r.student), quoted(r.lab),
                     quoted(r.step), r.status, r.points, r.max_points, r.time_us, quoted(r.model_version),
                     quoted(r.message));
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
      if (line + "\n" != csv_header()) throw Error("line 1: not a CSV of grades");
      continue;
    }
    if (!whole) break;  // a grader that was killed while writing leaves half a line
    const auto c = cells(line);
    if (c.size() != 9) throw Error(fmt::format("line {}: {} cells instead of 9", number, c.size()));
    try {
      Row r;
      r.student = c[0], r.lab = c[1], r.step = c[2], r.status = c[3];
      r.points = std::stod(c[4]), r.max_points = std::stod(c[5]), r.time_us = std::stod(c[6]);
      r.model_version = c[7], r.message = c[8];
      rows.push_back(std::move(r));
    } catch (const std::exception&) {
      throw Error(fmt::format("line {}: points and time are numbers", number));
    }
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
      text += fmt::format("{}: {:.6g} -> {:.6g} points, {} -> {}\n", r.key(), o.points, r.points, o.status,
                          r.status);
  }
  for (const auto& [key, r] : before) text += fmt::format("{}: gone, had {:.6g}\n", key, r->points);
  return text.empty() ? "no grade changes\n" : text;
}

}  // namespace dojo::grade
