#include "grade/exports/platforms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/escape.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/rules.hpp"

namespace dojo::grade {
namespace {

std::string dumped(const nlohmann::json& j) {
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string variable(const char* name, const char* instead = nullptr) {
  for (const char* n : {name, instead})
    if (n)
      if (const char* v = std::getenv(n); v && *v) return v;
  throw Error(std::string("--format classroom50 needs $") + name +
              ", which Classroom 50's runner sets; elsewhere use --format json");
}

}  // namespace

std::string points_picture(const std::vector<Row>& rows) {
  constexpr int left = 260, width = 300, line = 24;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n",
      left + width + 110, line * int(rows.size()) + 8);
  int y = 4;
  for (const Row& r : rows) {
    const double share = r.max_points > 0 ? std::min(1.0, r.points / r.max_points) : 0;
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"16\" "
        "fill=\"#e3e6ea\"/><rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\"/><text "
        "x=\"{}\" "
        "y=\"{}\">{:.6g} of {:.6g}{}</text>\n",
        left - 8, y + 13, escape_markup(r.lab + "/" + r.step), left, y, width, left, y, width * share,
        r.status == RowStatus::pass ? "#2f7d4f" : "#b7791f", left + width + 8, y + 13, r.points, r.max_points,
        r.counts ? "" : " (not counted)");
    y += line;
  }
  return svg + "</svg>\n";
}

std::string prairielearn(const Course&, const std::vector<Row>& rows) {
  nlohmann::json tests = nlohmann::json::array();
  double points = 0, most = 0;
  bool graded = rows.empty();
  std::string output;
  for (const Row& r : rows) {
    graded = graded || r.status != RowStatus::not_graded;
    if (r.counts) points += r.points, most += r.max_points;
    nlohmann::json test{{"name", r.lab + "/" + r.step},
                        {"points", r.points},
                        {"max_points", r.max_points},
                        {"message", words_for_student(r)}};
    std::string checks;
    if (!r.hidden)
      for (const Check& c : r.checks)
        checks += fmt::format("{}: {}{}\n", c.name, c.passed ? "passes" : "fails",
                              c.message.empty() ? "" : " (" + c.message + ")");
    test["output"] = checks;
    tests.push_back(std::move(test));
  }
  const std::string version = rows.empty() ? "" : rows.front().model_version;
  nlohmann::json j{
      {"gradable", graded},
      {"score", most > 0 ? std::clamp(points / most, 0.0, 1.0) : 0.0},
      {"message", fmt::format("{:.6g} of {:.6g} points. Graded on the SIMT machine, model version {}.",
                              points, most, version)},
      {"images",
       nlohmann::json::array({{{"label", "Points by step"},
                               {"url", "data:image/svg+xml;base64," + to_base64(points_picture(rows))}}})},
      {"tests", tests}};
  if (!graded) j["format_errors"] = {"The grading machine failed. Submit again."};
  return dumped(j);
}

std::string classroom50(const Course&, const std::vector<Row>& rows) {
  nlohmann::json tests = nlohmann::json::array();
  int64_t points = 0, most = 0;
  for (const Row& r : rows) {
    if (!r.counts) continue;
    const int64_t max = std::llround(r.max_points), mine = std::min<int64_t>(max, std::llround(r.points));
    points += mine;
    most += max;
    tests.push_back({{"test-name", r.lab + "/" + r.step},
                     {"passed", r.status == RowStatus::pass},
                     {"score", mine},
                     {"max-score", max},
                     {"message", words_for_student(r)}});
  }
  std::string when = rows.empty() ? std::string() : rows.front().submitted;
  if (const auto t = read_moment(when)) when += t->offset ? "" : "Z";
  if (const char* given = std::getenv("WARPDOJO_SUBMITTED"); given && *given) when = given;
  if (when.empty()) {
    char text[32];
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    when = text;
  }
  nlohmann::json j{{"schema", "classroom50/result/v1"},
                   {"classroom", variable("CLASSROOM")},
                   {"assignment", variable("ASSIGNMENT")},
                   {"submission", variable("SUBMISSION_TAG")},
                   {"commit", variable("COMMIT_URL")},
                   {"release", variable("RELEASE_URL")},
                   {"review", variable("REVIEW_URL", "COMMIT_URL")},
                   {"datetime", when},
                   {"score", points},
                   {"max-score", most},
                   {"tests", tests}};
  // The runner stamps these itself; what it says of them is passed on.
  if (const char* type = std::getenv("ASSIGNMENT_TYPE"); type && *type) j["assignment_type"] = type;
  for (const char* name : {"OWNER", "USERNAME"})
    if (const char* owner = std::getenv(name); owner && *owner && !j.contains("owner")) j["owner"] = owner;
  return dumped(j);
}

}  // namespace dojo::grade
