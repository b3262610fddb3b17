// What says nothing of a student's work: an excused step, and a run that the machine ended.
#include <doctest/doctest.h>

#include "grade/exports/class_report.hpp"
#include "grade/formats.hpp"
#include "grade/grader.hpp"
#include "grade/pool/ask.hpp"

using namespace dojo;
using namespace dojo::grade;

TEST_CASE("a run that the machine ended is told in the words of what ended it") {
  Report r;
  CHECK(grade::machine_words(r).empty());
  r.runs.emplace_back().diagnostics.emplace_back();
  r.runs[0].diagnostics[0].kind = FindingKind::race;
  CHECK(grade::machine_words(r).empty());
  Diagnostic& d = r.runs[0].diagnostics.emplace_back();
  d.kind = FindingKind::time_limit, d.message = "The GPU gave no answer for 60 s.";
  CHECK(grade::machine_words(r).ends_with("ended it: The GPU gave no answer for 60 s."));
}

TEST_CASE("an excused step is in no mean and no outcome of the class report; a dropped one is") {
  std::vector<Row> rows(1);
  rows[0].student = "first", rows[0].lab = "reduce", rows[0].step = "5-sequential";
  rows[0].points = 8, rows[0].max_points = 10, rows[0].status = RowStatus::pass;
  Row excused = rows[0], dropped = rows[0];
  excused.student = "on leave", excused.status = RowStatus::missing, excused.points = 0;
  excused.counts = false, excused.excused = true, excused.comment = "2 days late; excused";
  dropped.student = "third", dropped.points = 4, dropped.status = RowStatus::gate_failed;
  dropped.counts = false, dropped.comment = "dropped: one of the lowest";
  rows.push_back(excused), rows.push_back(dropped);
  // An instructor's comment may end with the word.
  rows.back().comment = "was not excused";
  for (const Row& r : {excused, rows.back()}) {
    CHECK(read_csv(csv_header() + csv_line(r)).at(0).excused == r.excused);
    CHECK(row_from_json(to_json(r)).excused == r.excused);
  }
  Course c;
  CourseStep step;
  step.step = "reduce/5-sequential", step.points = 10;
  c.steps = {step};
  const std::string html = class_report(c, rows, {});
  CHECK_MESSAGE(html.find("1 of 2<br><span class=small>1 excused</span>") != std::string::npos, html);
  CHECK(html.find("6.0 of 10</td>") != std::string::npos);
  CHECK(html.find("no file found: 1") == std::string::npos);
  // All excused: there is no mean.
  rows = {excused};
  const std::string none = class_report(c, rows, {});
  CHECK(none.find("0 of 0<br>") != std::string::npos);
  CHECK(none.find("nan") == std::string::npos);
}
