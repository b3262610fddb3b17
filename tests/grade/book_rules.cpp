// Deadlines, lateness, extensions, drops, excuses, points changed by hand, anonymous names: without a run.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "core/error.hpp"
#include "grade/book/calendar.hpp"
#include "grade/book/rules.hpp"
#include "grade/formats.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::grade;
using dojo::tolerance::within;

namespace {

Row row(const std::string& student, const std::string& step, double points, const std::string& submitted) {
  Row r;
  r.student = student, r.lab = "reduce", r.step = step,
  r.status = points == 10 ? RowStatus::pass : RowStatus::gate_failed;
  r.points = points, r.max_points = 10, r.submitted = submitted, r.deadline = "2026-10-20T23:59";
  return r;
}

Course late_course() {
  Course c;
  c.late = LateRule{0.1, 3, 15};
  return c;
}

Overrides overrides_of(const std::string& text) {
  const test::Folder f;
  std::ofstream(f.path / "overrides.toml") << text;
  const Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  return load_overrides(f.path / "overrides.toml", catalog, whole_catalog(catalog));
}

}  // namespace

TEST_CASE("times are read in the forms that course systems write, spans in days, hours and minutes") {
  const auto t = read_time("2026-10-20T21:03:11");
  REQUIRE(t);
  CHECK(read_time("2026-10-20 21:03:11.500000 -0700") == t);
  CHECK(read_time("2026-10-20T21:03:11Z") == t);
  CHECK(read_time("2026-10-20_21-03-11") == t);
  CHECK(time_words(*t) == "2026-10-20T21:03:11");
  CHECK(time_words(*read_time("2024-02-29")) == "2024-02-29T23:59:59");
  CHECK(time_words(0) == "1970-01-01T00:00:00");
  CHECK(time_within("attempt 2026-10-20T21-03-11.zip") == t);
  for (const char* none : {"", "soon", "2026-13-01", "2026-02-29", "2026-10-20T25:00", "2026-10-20 x"})
    CHECK_MESSAGE(!read_time(none), none);
  CHECK(read_moment("2026-10-20T21:03-07:00")->offset == -7 * 3600);
  CHECK(read_moment("2026-10-20T21:03-07:00")->wall == *t - 11);
  CHECK(read_moment("2026-10-20_21-03-11")->offset == std::nullopt);
  for (const char* zone : {"+2", "+25:00", "Z Z", "+2:00", "-07:0", "EST"})
    CHECK_MESSAGE(!read_time(std::string("2026-10-20T21:03") + zone), zone);
  CHECK(read_span("2d") == 172800);
  CHECK(read_span("36h") == 129600);
  CHECK(!read_span("2"));
  CHECK(!read_span("-1d"));
}

TEST_CASE("two times with offsets are compared as instants, others by their wall clocks") {
  CHECK(days_late("2026-10-20T22:05:00Z", "2026-10-20T23:59:00+02:00", 0) == 1);
  CHECK(days_late("2026-10-21T05:30:00Z", "2026-10-20T23:59:00-07:00", 0) == 0);
  CHECK(days_late("2026-10-20T23:59:00Z", "2026-10-20T23:59", 0) == 0);
  CHECK(days_late("2026-10-20T23:59:30", "2026-10-20T23:59:00-0700", 0) == 1);
  CHECK(due("2026-10-20T23:59+02:00", "2d") == "2026-10-22T23:59:00+02:00");
  CHECK(due("2026-10-20T23:59+02:00", "2026-10-21T00:00+03:00") == "2026-10-20T23:59:00+02:00");
  CHECK(moment_words(*read_moment("2026-10-20 21:03:11.5 -0730")) == "2026-10-20T21:03:11-07:30");
}

TEST_CASE("lateness costs its share of the points for each begun day, after the grace") {
  std::vector<Row> rows = {row("a", "5", 10, "2026-10-20T23:00"), row("b", "5", 10, "2026-10-21T00:14"),
                           row("c", "5", 10, "2026-10-21T00:15"), row("d", "5", 8, "2026-10-22T12:00"),
                           row("e", "5", 10, "2026-10-25T12:00"), row("f", "5", 10, "")};
  rows.back().marked_late = true;
  apply_rules(late_course(), {}, {}, rows);
  CHECK(rows[0].points == 10);
  CHECK(rows[1].points == 10);
  CHECK(rows[2].points == within(9));
  CHECK(rows[2].comment == "1 day late: 1 point taken off");
  CHECK(rows[3].points == within(8 * 0.8));
  CHECK(rows[3].raw_points == 8);
  CHECK(rows[4].points == 0);
  CHECK(rows[4].comment == "5 days late, more than 3: 10 points taken off");
  // Of no points nothing is taken off.
  std::vector<Row> none = {row("g", "5", 0, "2026-10-21T00:15")};
  apply_rules(late_course(), {}, {}, none);
  CHECK(none[0].comment == "1 day late");
  CHECK(rows[5].points == 10);
  CHECK(rows[5].comment.find("the time is not known") != std::string::npos);
  // Once more, from what the runs earned: nothing is taken off twice.
  apply_rules(late_course(), {}, {}, rows);
  CHECK(rows[3].points == within(8 * 0.8));
  // Without [late] a deadline costs nothing.
  apply_rules(Course{}, {}, {}, rows);
  CHECK(rows[4].points == 10);
  CHECK(rows[4].comment.empty());
}

TEST_CASE("an extension moves the deadline: the roster's, and before it the overrides'") {
  Roster roster;
  roster.people = {{"a", "", "", "", "2d"}, {"b", "", "", "", "2d"}, {"c", "", "", "", ""}};
  const Overrides o = overrides_of(
      "[[student]]\nid = 'b'\nextension = '2026-10-21T12:00'\n[[student]]\nid = 'c'\nsubmitted = "
      "'2026-10-20'\n");
  std::vector<Row> rows = {row("a", "5", 10, "2026-10-22T12:00"), row("b", "5", 10, "2026-10-22T12:00"),
                           row("c", "5", 10, "2026-10-22T12:00")};
  apply_rules(late_course(), roster, o, rows);
  CHECK(rows[0].points == 10);
  CHECK(rows[1].points == within(9));
  CHECK(rows[2].points == 10);  // a day alone means its last second, which the grace covers
}

TEST_CASE("points changed by hand, excuses and drops are said in the comment and count in totals") {
  Course course;
  course.drop_lowest = 1;
  const Overrides o = overrides_of(
      "[[student]]\nid = 'a'\nexcused = ['reduce/7']\n"
      "[[adjust]]\nid = 'a'\nstep = 'reduce/5'\npoints = 2\ncomment = 'explained it in the lab'\n"
      "[[adjust]]\nid = 'b'\nstep = 'reduce/5'\nset = 0\ncomment = 'copied'\n");
  std::vector<Row> rows;
  for (const char* who : {"a", "b"})
    for (const char* step : {"5-sequential", "6-add-on-load", "7-unroll-last-warp"})
      rows.push_back(row(who, step, 6, ""));
  rows[1].points = 3;
  apply_rules(course, {}, o, rows);
  CHECK(rows[0].points == 8);
  CHECK(rows[0].comment == "6 -> 8 points: explained it in the lab");
  CHECK(!rows[2].counts);
  CHECK(rows[2].excused);
  CHECK(rows[2].comment == "excused");
  CHECK(!rows[1].counts);
  CHECK(!rows[1].excused);
  CHECK(rows[1].comment == "dropped: one of the lowest");
  CHECK(total_of(rows, "a").points == 8);
  CHECK(total_of(rows, "a").max_points == 10);
  CHECK(rows[3].points == 0);
  CHECK(!rows[3].counts);
  CHECK(total_of(rows, "b").points == 12);
  // Who is excused from all steps but one keeps that one.
  std::vector<Row> left{row("c", "5-sequential", 6, ""), row("c", "7-unroll-last-warp", 0, "")};
  apply_rules(course, {}, overrides_of("[[student]]\nid = 'c'\nexcused = ['reduce/7']\n"), left);
  CHECK(left[0].counts);
  CHECK(total_of(left, "c").points == 6);
  // All of it is in the exports.
  const std::string csv = find_format("csv").text(course, rows);
  CHECK(csv.find(",8,10,0,,,,0,6,yes,6 -> 8 points: explained it in the lab\n") != std::string::npos);
  CHECK(find_format("gradescope").text(course, {rows[0]}).find("explained it in the lab") !=
        std::string::npos);
  const auto back = read_json(find_format("json").text(course, rows));
  REQUIRE(back.size() == rows.size());
  CHECK(to_json(back[1]) == to_json(rows[1]));
  CHECK(read_csv(csv)[0].raw_points == 6);
}

TEST_CASE("mistakes in the overrides are named with their line") {
  const auto fails = [](const std::string& text, const std::string& words) {
    try {
      overrides_of(text);
      FAIL_CHECK("loaded: " << text);
    } catch (const Error& e) {
      CHECK_MESSAGE(std::string(e.what()).find(words) != std::string::npos, e.what());
    }
  };
  fails("[[student]]\nextension = '2d'\n", "overrides.toml:1: id is missing");
  fails("[[student]]\nid = 'a'\nextention = '2d'\n", "overrides.toml:3: there is no 'extention' here");
  fails("[[student]]\nid = 'a'\nextension = 'long'\n", "overrides.toml:3: an extension is");
  fails("[[student]]\nid = 'a'\nexcused = ['reduce/99']\n", "overrides.toml:3");
  fails("[[adjust]]\nid = 'a'\nstep = 'reduce/5'\npoints = 1\n", "comment is missing");
  fails("[[adjust]]\nid = 'a'\nstep = 'reduce/5'\ncomment = 'x'\n", "either points (added) or set");
  fails("[student]\nid = 'a'\n", "write [[student]]");
  fails("[[student]]\nid = 'a'\nextension = 2\n", "overrides.toml:3: an extension is");
  fails("[[student]]\nid = 'a'\n[[student]]\nid = 'a'\nextension = '2d'\n", "'a' is there twice");
  for (const char* number : {"nan", "inf", "'2'"})
    fails(std::string("[[adjust]]\nid = 'a'\nstep = 'reduce/5'\ncomment = 'x'\npoints = ") + number,
          "overrides.toml:5: points is a number of points");
  fails("[[adjust]]\nid = 'a'\nstep = 'reduce/5'\ncomment = 'x'\nset = -1\n", "set is a number of points");
  // TOML's own times need no quotes.
  const Overrides o =
      overrides_of("[[student]]\nid = 'a'\nextension = 2026-10-23\nsubmitted = 2026-10-20T21:03:00\n");
  CHECK(o.students.at("a").extension == "2026-10-23");
  CHECK(o.students.at("a").submitted == "2026-10-20T21:03:00");
}

TEST_CASE("an appeal replaces one student's rows and keeps the others") {
  std::vector<Row> old = {row("a", "5", 0, ""), row("b", "5", 6, "")};
  const auto merged = merge(old, {row("a", "5", 10, ""), row("c", "5", 4, "")});
  REQUIRE(merged.size() == 3);
  CHECK(merged[0].points == 10);
  CHECK(merged[1].points == 6);
  CHECK(merged[2].student == "c");
  // A new row of a student stands behind that student's others.
  const auto more = merge(merged, {row("a", "mine", 3, "")});
  REQUIRE(more.size() == 4);
  CHECK(more[1].student == "a");
  CHECK(more[1].step == "mine");
}

TEST_CASE("after a merge, rules hold for the students that were graded or are named") {
  const Course course = late_course();
  std::vector<Row> rows = {row("a", "5", 10, "2026-10-22T01:00"), row("b", "5", 10, "2026-10-22T01:00"),
                           row("c", "5", 10, "2026-10-22T01:00")};
  rows[1].comment = "an extension";
  Overrides overrides;
  overrides.students["c"].extension = "3d";
  apply_rules_after_merge(course, {}, overrides, {"a"}, rows);
  CHECK(rows[0].points == 8);
  CHECK(rows[1].points == 10);
  CHECK(rows[1].comment == "an extension");
  CHECK(rows[2].points == 10);
  apply_rules_after_merge(course, {}, {}, {"a", "b"}, rows);
  CHECK(rows[1].points == 8);
}

TEST_CASE("anonymous names follow from the secret, tell nothing, and are told apart") {
  std::vector<Row> rows = {row("ada", "5", 1, ""), row("ada", "6", 2, ""), row("bob", "5", 3, "")};
  auto again = rows, other = rows;
  const auto names = anonymous_names("secret", rows);
  CHECK(names.size() == 2);
  const auto of_ada =
      std::find_if(names.begin(), names.end(), [](const auto& n) { return n.student == "ada"; });
  REQUIRE(of_ada != names.end());
  const std::string ada = of_ada->name;
  CHECK(std::count_if(rows.begin(), rows.end(), [&](const Row& r) { return r.student == ada; }) == 2);
  CHECK(ada.starts_with("anon-"));
  anonymous_names("secret", again);
  CHECK(again[0].student == rows[0].student);
  const auto others = anonymous_names("another", other);
  CHECK(others[0].name != names[0].name);
}

TEST_CASE(
    "the order of anonymous rows tells nothing of the order of names, and a student's rows stay together") {
  std::vector<Row> rows;
  for (char c = 'a'; c <= 'z'; ++c)
    for (const char* step : {"5", "6"}) rows.push_back(row(std::string(1, c), step, 1, ""));
  const auto names = anonymous_names("secret", rows);
  for (size_t i = 0; i < names.size(); ++i) {
    CHECK(rows[2 * i].student == names[i].name);
    CHECK(rows[2 * i].step == "5");
    CHECK(rows[2 * i + 1].step == "6");
  }
  CHECK(!std::is_sorted(names.begin(), names.end(),
                        [](const auto& a, const auto& b) { return a.student < b.student; }));
}
