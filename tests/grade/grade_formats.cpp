// The exports against golden files and the services' schemas, and CSV both ways.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "../left_out.hpp"
#include "../near.hpp"
#include "../temp_folder.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "grade/exports/class_report.hpp"
#include "grade/formats.hpp"
#include "grade/intake/roster.hpp"
#include "schema_check.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::grade;
using dojo::test::exit_status;
namespace fs = std::filesystem;

namespace {

std::vector<Row> two_rows() {
  Row a;
  a.student = "ada, countess";
  a.lab = "reduce";
  a.step = "5-sequential";
  a.status = RowStatus::pass;
  a.points = a.max_points = 10;
  a.time_us = 153.25;
  a.model_version = "1";
  a.checks = {{"right results", true, 6, 6, "right on 2 inputs, no finding"},
              {"shared_conflicts == 0", true, 4, 4, "0 == 0"}};
  Row b = a;
  b.student = "=bob";
  b.status = RowStatus::finding;
  b.points = 0;
  b.time_us = 0;
  b.message = "5-sequential.cu:16: \"race\" between a and b, <threads> 1 & 2";
  b.problem = "race";
  b.checks = {{"right results", false, 0, 6, b.message},
              {"shared_conflicts == 0", false, 0, 4, "counts only with right results"}};
  return {a, b};
}

/// What Classroom 50's runner sets.
struct Runner {
  test::Environment a{"CLASSROOM", "gpu-2026"}, b{"ASSIGNMENT", "reduce"}, c{"OWNER", "ada"},
      d{"SUBMISSION_TAG", "submit/2026-10-20T21-03-11Z-a1b2c3d"},
      e{"COMMIT_URL", "https://host/commit/a1b2c3d"}, f{"RELEASE_URL", "https://host/releases/tag/submit"},
      g{"REVIEW_URL", "https://host/compare"}, h{"WARPDOJO_SUBMITTED", "2026-10-20T21:03:11Z"},
      i{"ASSIGNMENT_TYPE", "individual"};
};

std::string golden(const std::string& name) {
  return read_or_empty(source_root() / "tests/grade/golden" / name);
}

}  // namespace

TEST_CASE("each export is what its golden file says") {
  const Runner runner;
  for (const auto& f : formats()) {
    CAPTURE(f.name);
    const std::string got = f.text(Course{}, two_rows());
    const std::string file = f.name + (got.starts_with("{") ? ".json" : ".csv");
    if (golden(file) != got) std::ofstream("/tmp/warpdojo-golden-" + file) << got;
    CHECK_MESSAGE(golden(file) == got, "tests/grade/golden/" << file << " says otherwise than this:\n"
                                                             << got);
  }
}

TEST_CASE("the documents name all formats of exports, and a class is told which ones take it") {
  const std::string calls = dojo::read_or_empty(source_root() / "docs/cli.md"),
                    course = dojo::read_or_empty(source_root() / "docs/instructor.md");
  for (const auto& f : formats()) {
    CHECK_MESSAGE(calls.find(f.name + "\\|") != std::string::npos, "docs/cli.md: " << f.name);
    const bool named = course.find("`" + f.name + "`") != std::string::npos ||
                       course.find("`--format " + f.name + "`") != std::string::npos;
    CHECK_MESSAGE(named, "docs/instructor.md: " << f.name);
    CHECK((", " + format_names() + ",").find(", " + f.name + ",") != std::string::npos);
    CHECK(((", " + format_names(true) + ",").find(", " + f.name + ",") == std::string::npos) ==
          f.one_student);
  }
}

namespace {

/// What doctest's reporter makes of rows, by the program that grading runs.
std::string by_doctest(const std::vector<Row>& rows, const std::string& reporter) {
  const temporary::TempFolder own;
  const fs::path& folder = own.path;
  std::string lines;
  for (const auto& r : rows) lines += to_json(r) + '\n';
  own.write("rows.jsonl", lines);
  const fs::path program = program_path().parent_path() / "warpdojo-verdicts";
  const int status = exit_status(program.string() + " " + (folder / "rows.jsonl").string() +
                                 " -r=" + reporter + " -o=" + (folder / "out").string());
  CHECK(status <= 1);
  return read_or_empty(folder / "out");
}

}  // namespace

TEST_CASE("doctest's own reporters give the same text for the same rows, whenever they run") {
  for (const std::string reporter : {"junit", "console"}) {
    CAPTURE(reporter);
    const std::string file = reporter + (reporter == "junit" ? ".xml" : ".txt"),
                      got = by_doctest(two_rows(), reporter);
    if (golden(file) != got) std::ofstream("/tmp/warpdojo-golden-" + file) << got;
    CHECK(golden(file) == got);
  }
}

TEST_CASE("JUnit XML is valid by its schema") {
  if (dojo::needs::left_out_without("xmllint")) return;  // package libxml2-utils
  auto rows = two_rows();
  rows[1].student = "<b>&\"'\x01\xff";  // whatever gets past the cleaning of names
  rows[0].checks.clear();               // nothing checked
  const std::string schema = (source_root() / "tests/grade/schema/junit.xsd").string();
  const auto valid = [&](const std::string& xml) {
    const temporary::TempFolder own;
    const fs::path file = own.write("junit.xml", xml);
    return exit_status("xmllint --noout --schema " + schema + " " + file.string() + " 2>/dev/null") == 0;
  };
  const std::string xml = by_doctest(two_rows(), "junit");
  CHECK(valid(xml));
  CHECK(valid(by_doctest(rows, "junit")));
  // The schema does refuse something.
  CHECK(!valid(xml.substr(0, xml.find("name=\"")) + xml.substr(xml.find("errors="))));
}

TEST_CASE("results for Gradescope, PrairieLearn and Classroom 50 fit the formats that these publish") {
  const Runner runner;
  auto rows = two_rows();
  using enum RowStatus;
  for (const RowStatus status : {compile_error, timeout, crash, missing, flagged, gate_failed, wrong}) {
    rows.push_back(rows[1]);
    rows.back().status = status;
  }
  rows.push_back(rows[1]);
  rows.back().hidden = true;
  rows.back().visibility = "after_due_date";
  rows.back().points = 3.5;
  rows.push_back(rows[0]);
  rows.back().counts = false;
  for (const auto& some : {rows, std::vector<Row>{}, two_rows()}) {
    const auto parsed = [&](const char* name) {
      return nlohmann::json::parse(find_format(name).text(Course{}, some));
    };
    CHECK(test::gradescope_misfits(parsed("gradescope")) == "");
    CHECK(test::prairielearn_misfits(parsed("prairielearn")) == "");
    CHECK(test::classroom50_misfits(parsed("classroom50")) == "");
  }
  // The tables do refuse something.
  auto bad = nlohmann::json::parse(find_format("gradescope").text(Course{}, rows));
  bad["tests"][0]["status"] = "ok";
  bad["tests"][1]["points"] = 3;
  bad["visibility"] = "never";
  CHECK(test::gradescope_misfits(bad) != "");
  auto learn = nlohmann::json::parse(find_format("prairielearn").text(Course{}, rows));
  CHECK(learn["score"] == dojo::tolerance::within(13.5 / 100));
  learn["score"] = 13.5;
  CHECK(test::prairielearn_misfits(learn) != "");
  auto room = nlohmann::json::parse(find_format("classroom50").text(Course{}, rows));
  CHECK(room["score"] == 14);  // 10 and 3.5, each rounded
  CHECK(room["max-score"] == 100);
  room["score"] = 13.5;
  CHECK(test::classroom50_misfits(room) != "");
}

TEST_CASE("Classroom 50's result needs the runner's variables; none of them is made up") {
  try {
    find_format("classroom50").text(Course{}, two_rows());
    FAIL("written");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("$CLASSROOM") != std::string::npos);
  }
  // Grading asks before it begins, when there are no rows yet.
  CHECK_THROWS_AS(find_format("classroom50").text(Course{}, {}), Error);
  const Runner runner;
  CHECK_NOTHROW(find_format("classroom50").text(Course{}, {}));
}

TEST_CASE("a format for one student refuses a class") {
  const Runner runner;
  for (const char* name : {"gradescope", "prairielearn", "classroom50"}) {
    CHECK_THROWS_AS(export_text(find_format(name), Course{}, two_rows()), Error);
    CHECK(export_text(find_format(name), Course{}, {two_rows()[0]}).size() > 10);
  }
  CHECK(export_text(find_format("csv"), Course{}, two_rows()).size() > 10);
}

TEST_CASE("GitHub Classroom's format is gone, and names its successor") {
  try {
    find_format("classroom");
    FAIL("found");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("--format classroom50") != std::string::npos);
  }
}

TEST_CASE(
    "gradebooks get names, numbers and sections from the roster, and totals without what is not counted") {
  Course c;
  c.title = "GPU, autumn";
  CourseStep step;
  step.step = "reduce/5-sequential";
  c.steps = {step, step};
  auto roster = std::make_shared<Roster>();
  roster->people = {{"42", "Lovelace, Ada", "ada@u.edu", "A", ""}, {"bob", "Bob", "bob@u.edu", "B", ""}};
  c.roster = roster;
  std::vector<Row> rows = {two_rows()[0], two_rows()[0], two_rows()[0], two_rows()[0]};
  rows[0].student = rows[1].student = "42";
  rows[2].student = rows[3].student = "bob";
  rows[1].points = 5;
  rows[1].comment = "1 day late: 5 points taken off";
  rows[3].points = 0;
  rows[3].counts = false;
  const std::string canvas = find_format("canvas").text(c, rows);
  CHECK(canvas ==
        "Student,ID,SIS User ID,SIS Login ID,Section,\"GPU, autumn\"\n    Points Possible,,,,,20\n"
        "\"Lovelace, Ada\",42,,ada@u.edu,A,15\nBob,,bob,bob@u.edu,B,20\n");
  const std::string moodle = find_format("moodle").text(c, rows);
  CHECK(
      moodle.starts_with("ID number,Full name,Email address,\"GPU, autumn\",Feedback comments\n"
                         "42,\"Lovelace, Ada\",ada@u.edu,15,"));
  CHECK(moodle.find("5 of 10. 1 day late: 5 points taken off") != std::string::npos);
  // Of a hidden step students see the points alone, wherever they look.
  const Runner runner;
  rows.resize(2);
  rows[1].message = "no file was handed in";
  CHECK(words_for_student(rows[1]) == "no file was handed in; 1 day late: 5 points taken off");
  for (const bool hidden : {false, true})
    for (const char* name : {"gradescope", "prairielearn", "classroom50", "moodle"}) {
      rows[1].hidden = hidden;
      CAPTURE(name);
      CHECK((find_format(name).text(c, rows).find("1 day late") == std::string::npos) == hidden);
    }
}

TEST_CASE("Gradescope's score is the sum of its tests'") {
  const auto j = nlohmann::json::parse(find_format("gradescope").text(Course{}, two_rows()));
  REQUIRE(j.contains("tests"));
  double sum = 0;
  for (const auto& t : j["tests"]) {
    CHECK(t.at("score").get<double>() <= t.at("max_score").get<double>());
    sum += t["score"].get<double>();
  }
  CHECK(j.at("score").get<double>() == dojo::tolerance::within(sum));
}

TEST_CASE("a hidden step shows its points and nothing else") {
  auto rows = two_rows();
  rows[1].hidden = true;
  rows[1].visibility = "after_published";
  CHECK(by_doctest(two_rows(), "junit").find("between a and b") != std::string::npos);
  for (const std::string reporter : {"junit", "console"})
    CHECK(by_doctest(rows, reporter).find("between a and b") == std::string::npos);
  const Runner runner;
  for (const char* name : {"classroom50", "prairielearn", "moodle"})
    CHECK(find_format(name).text(Course{}, rows).find("between a and b") == std::string::npos);
  const auto j = nlohmann::json::parse(find_format("gradescope").text(Course{}, rows));
  CHECK(j["tests"][2]["output"] == "");
  CHECK(j["tests"][2]["visibility"] == "after_published");
  // One line for the step: the names of gates say what it asks for.
  REQUIRE(j["tests"].size() == 3);
  CHECK(j["tests"][2]["name"] == "reduce/5-sequential");
  CHECK(j["tests"][2]["max_score"] == 10);
  CHECK(j["tests"][2]["status"] == "failed");
  CHECK(test::gradescope_misfits(j) == "");
}

TEST_CASE("CSV is read back as it was written, but for the checks") {
  auto rows = two_rows();
  rows.push_back(rows[1]);
  rows[2].student = "=HYPERLINK(\"evil\",\"A\")";
  const std::string text = find_format("csv").text(Course{}, rows);
  const auto back = read_csv(text);
  REQUIRE(back.size() == 3);
  CHECK(back[0].student == "ada, countess");
  // A spreadsheet must not take a name for a formula, quotes around it or not.
  CHECK(text.find("\n'=bob,") != std::string::npos);
  CHECK(text.find("\n\"'=HYPERLINK(") != std::string::npos);
  CHECK(back[1].student == "=bob");
  CHECK(back[2].student == rows[2].student);
  CHECK(compare(back, rows) == "no grade changes\n");
  CHECK(back[1].message == rows[1].message);
  CHECK(back[0].time_us == dojo::tolerance::within(153.25));
}

TEST_CASE("half a line at the end of a CSV is dropped, a broken one named") {
  const std::string good = find_format("csv").text(Course{}, two_rows());
  CHECK(read_csv(good + "carl,reduce,5-seq").size() == 2);
  CHECK_THROWS_AS(read_csv(good + "carl,reduce\n"), Error);
  CHECK_THROWS_AS(read_csv("name,grade\n"), Error);
  CHECK_THROWS_WITH_AS(read_csv(good + "carl,reduce,5-sequential,passed,1,1,1,37,,,0,1,yes,\n"),
                       "line 4: 'passed' is no status of a row", Error);
}

TEST_CASE("a regrade says what changes") {
  auto old = two_rows(), now = two_rows();
  CHECK(compare(old, now) == "no grade changes\n");
  // Six digits of a third of ten points, from a CSV, are no other grade.
  now[1].points = 10.0 / 3;
  CHECK(compare(read_csv(find_format("csv").text(Course{}, now)), now) == "no grade changes\n");
  now[1].points = 4;
  now[1].status = RowStatus::pass;
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

TEST_CASE("no text of a student's turns a line round or ends it") {
  CHECK(clean_text("a\xE2\x80\xAEgpj.exe", 100) == "a?gpj.exe");
  CHECK(clean_text("\xE2\x81\xA6x\xE2\x81\xA9\xE2\x80\xA8y\nz", 100) == "?x??y z");
  CHECK(clean_text("\xE2\x82\xAC \xE2\x80\x8C \xC3\xA9", 100) == "\xE2\x82\xAC \xE2\x80\x8C \xC3\xA9");
}

TEST_CASE("the class report escapes what students wrote") {
  auto rows = two_rows();
  rows[1].message = "<script>alert(1)</script>";
  Course c;
  CourseStep step;
  step.step = "reduce/5-sequential";
  c.steps = {step};
  const std::string html = class_report(c, rows, {{"reduce/5-sequential", "a<b", "c", 0.9}});
  CHECK(html.find("<script>") == std::string::npos);
  CHECK(html.find("a&lt;b") != std::string::npos);
  CHECK(html.find("1 of 2") != std::string::npos);
}

TEST_CASE("an excused step is asked for in no total: the class report and Moodle say the student's own") {
  auto rows = two_rows();
  Row excused = rows[0];
  excused.step = "6-add-on-load";
  excused.status = RowStatus::missing, excused.points = 0, excused.counts = false;
  excused.excused = true;
  excused.message = "No 6-add-on-load.cu was handed in.", excused.comment = "excused";
  rows.push_back(excused);
  Course c;
  CourseStep step;
  step.step = "reduce/5-sequential";
  c.steps = {step};
  const std::string html = class_report(c, rows, {});
  const std::string own = fmt::format("{:.1f} of {:.6g}</td>", rows[0].points, rows[0].max_points);
  CHECK_MESSAGE(html.find(own) != std::string::npos, html);
  CHECK(html.find("class=\"missing left_out\"") != std::string::npos);
  CHECK(html.find("excused (No 6-add-on-load.cu was handed in.)") != std::string::npos);
  CHECK(html.find(".not_graded{") != std::string::npos);
  const std::string moodle = find_format("moodle").text(c, rows);
  CHECK(moodle.find("reduce/6-add-on-load: excused") != std::string::npos);
  CHECK(moodle.find("No 6-add-on-load.cu") == std::string::npos);
}

TEST_CASE("the class report counts a problem once for all who have it, wherever in their files it is") {
  std::vector<Row> rows;
  for (int k = 0; k < 5; ++k) {
    rows.push_back(two_rows()[1]);
    rows.back().student = "student " + std::to_string(k);
    rows.back().message = "5-sequential.cu:" + std::to_string(k) + ": a race";
  }
  rows[3].problem = "out_of_bounds";
  rows[4].status = RowStatus::missing;
  rows[4].message = "No 5-sequential.cu was found. hw.zip: holds more than 256 MiB; the rest is not read.";
  Course c;
  CourseStep step;
  step.step = "reduce/5-sequential";
  c.steps = {step};
  const std::string html = class_report(c, rows, {});
  CHECK(html.find("race (3x)") < html.find("out_of_bounds (1x)"));
  CHECK(html.find("out_of_bounds (1x)") != std::string::npos);
  CHECK(html.find("no file found: 1") != std::string::npos);
  CHECK(html.find("0 of 5") != std::string::npos);
  // A student's outcomes, a cell a step, and points with one decimal.
  CHECK(html.find(
            "<div class=cells><i class=missing title=\"reduce/5-sequential: No 5-sequential.cu was found. "
            "hw.zip: holds more than 256 MiB; the rest is not read.\"></i></div>") != std::string::npos);
  // One page, offline: nothing is fetched, nothing runs.
  for (const char* no : {"http:", "https:", "<script", "url("}) CHECK(html.find(no) == std::string::npos);
}
