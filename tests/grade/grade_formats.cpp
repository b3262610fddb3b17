// The exports against golden files, and CSV both ways.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "grade/class_report.hpp"
#include "grade/formats.hpp"

using namespace dojo;
using namespace dojo::grade;

namespace {

std::vector<Row> two_rows() {
  Row a;
  a.student = "ada, countess";
  a.lab = "reduce";
  a.step = "5-sequential";
  a.status = "pass";
  a.points = a.max_points = 10;
  a.time_us = 153.25;
  a.model_version = "1";
  a.checks = {{"right results", true, 6, 6, "right on 2 inputs, no finding"},
              {"shared_conflicts == 0", true, 4, 4, "0 == 0"}};
  Row b = a;
  b.student = "=bob";
  b.status = "finding";
  b.points = 0;
  b.time_us = 0;
  b.message = "5-sequential.cu:16: \"race\" between a and b";
  b.checks = {{"right results", false, 0, 6, b.message},
              {"shared_conflicts == 0", false, 0, 4, "counts only with right results"}};
  return {a, b};
}

std::string golden(const std::string& name) {
  std::ifstream in(source_root() / "tests/grade/golden" / name);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

}  // namespace

TEST_CASE("each export is what its golden file says") {
  for (const auto& f : formats()) {
    CAPTURE(f.name);
    const std::string got = f.text(Course{}, two_rows());
    const std::string file = f.name + (f.name == "csv" ? ".csv" : ".json");
    if (golden(file) != got) std::ofstream("/tmp/warpdojo-golden-" + file) << got;
    CHECK(golden(file) == got);
  }
}

TEST_CASE("Gradescope's results have what its autograder specification asks for") {
  const auto j = nlohmann::json::parse(find_format("gradescope").text(Course{}, two_rows()));
  REQUIRE(j.contains("tests"));
  double sum = 0;
  for (const auto& t : j["tests"]) {
    CHECK(t.at("score").is_number());
    CHECK(t.at("max_score").is_number());
    CHECK(t.at("score").get<double>() <= t.at("max_score").get<double>());
    CHECK(t.at("name").is_string());
    CHECK(t.at("output").is_string());
    const std::string visibility = t.at("visibility"), status = t.at("status");
    CHECK((visibility == "visible" || visibility == "hidden" || visibility == "after_due_date" ||
           visibility == "after_published"));
    CHECK((status == "passed" || status == "failed"));
    sum += t["score"].get<double>();
  }
  CHECK(j.at("score").get<double>() == doctest::Approx(sum));
}

TEST_CASE("a hidden step shows its points and nothing else") {
  auto rows = two_rows();
  rows[1].hidden = true;
  const auto j = nlohmann::json::parse(find_format("gradescope").text(Course{}, rows));
  CHECK(j["tests"][2]["output"] == "");
  CHECK(j["tests"][2]["visibility"] == "after_published");
}

TEST_CASE("CSV is read back as it was written, but for the checks") {
  const auto rows = two_rows();
  const auto back = read_csv(find_format("csv").text(Course{}, rows));
  REQUIRE(back.size() == 2);
  CHECK(back[0].student == "ada, countess");
  CHECK(back[1].student == "'=bob");  // a spreadsheet must not take a name for a formula
  CHECK(back[1].message == rows[1].message);
  CHECK(back[0].time_us == doctest::Approx(153.25));
}

TEST_CASE("half a line at the end of a CSV is dropped, a broken one named") {
  const std::string good = find_format("csv").text(Course{}, two_rows());
  CHECK(read_csv(good + "carl,reduce,5-seq").size() == 2);
  CHECK_THROWS_AS(read_csv(good + "carl,reduce\n"), Error);
  CHECK_THROWS_AS(read_csv("name,grade\n"), Error);
}

TEST_CASE("a regrade says what changes") {
  auto old = two_rows(), now = two_rows();
  CHECK(compare(old, now) == "no grade changes\n");
  now[1].points = 4;
  now[1].status = "pass";
  old.push_back(old[0]);
  old[2].student = "eve";
  const std::string text = compare(old, now);
  CHECK(text.find("0 -> 4 points, finding -> pass") != std::string::npos);
  CHECK(text.find("eve/reduce/5-sequential: gone") != std::string::npos);
}

TEST_CASE("an unknown format names those there are") {
  try {
    find_format("xlsx");
    FAIL("found");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("gradescope") != std::string::npos);
  }
}

TEST_CASE("the class report escapes what students wrote") {
  auto rows = two_rows();
  rows[1].message = "<script>alert(1)</script>";
  Course c;
  c.steps = {{"reduce/5-sequential", 10, "", false}};
  const std::string html = class_report(c, rows, {{"reduce/5-sequential", "a<b", "c", 0.9}});
  CHECK(html.find("<script>") == std::string::npos);
  CHECK(html.find("a&lt;b") != std::string::npos);
  CHECK(html.find("1 of 2") != std::string::npos);
}
