// Points, hidden inputs, submissions, courses, similarity: all without a run.
#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "../near.hpp"
#include "../temp_folder.hpp"
#include "core/error.hpp"
#include "core/host_work.hpp"
#include "grade/grader.hpp"
#include "grade/secret.hpp"
#include "grade/similarity.hpp"

using namespace dojo;
using namespace dojo::grade;
namespace fs = std::filesystem;

namespace {

Catalog small_catalog(const fs::path& root) {
  Catalog c;
  c.root = root;
  Lab lab;
  lab.name = "reduce";
  lab.folder = root / "labs" / "01-reduce";
  Step s;
  s.lab = "reduce";
  s.name = "sequential";
  s.number = 5;
  s.file = "5-sequential.cu";
  s.size = {{"n", 4096}};
  lab.steps = {s};
  c.labs = {lab};
  return c;
}

Report report(Status status, std::vector<bool> gates) {
  Report r;
  r.device.model_version = "1";
  RunReport run;
  run.who = "student";
  run.status = status;
  for (bool pass : gates) run.gates.push_back({"g == 0", pass ? 0.0 : 3.0, 0, "==", pass, "words"});
  r.runs = {run};
  return r;
}

}  // namespace

TEST_CASE("points: right results first, gates share the rest") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  Course course;
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::pass, {true, true})}).points == 10);
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::gate_failed, {true, false})}).points ==
        dojo::tolerance::within(8));
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::gate_failed, {false, false})}).points ==
        dojo::tolerance::within(6));
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::wrong, {true, true})}).points == 0);
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::finding, {true, true})}).points == 0);
  CHECK(judge(cs, course, c.labs[0].steps[0], {}).status == RowStatus::crash);
  cs.correct_share = 0.2;  // of this step only
  CHECK(judge(cs, course, c.labs[0].steps[0], {report(Status::gate_failed, {false, false})}).points ==
        dojo::tolerance::within(2));
}

TEST_CASE("gates may weigh differently: as the course says, else as the lab does, else alike") {
  const temporary::TempFolder f;
  Catalog c = small_catalog(f.path);
  Step& step = c.labs[0].steps[0];
  step.gates = {{.expr = "a == 0", .words = {}, .weight = 3}, {.expr = "b == 0", .words = {}}};
  const auto graded = [&](bool a, bool b, const std::string& line) {
    const Course course =
        load_course(f.write("course.toml", "[[step]]\nstep = 'reduce/5'\n" + line + "\n"), c);
    Report r = report(a && b ? Status::pass : Status::gate_failed, {a, b});
    r.runs[0].gates[0].name = "a == 0";
    r.runs[0].gates[1].name = "b == 0";
    return judge(course.steps[0], course, step, {r});
  };
  CHECK(graded(true, true, "").points == 10);
  CHECK(graded(true, false, "").points == dojo::tolerance::within(9));
  CHECK(graded(false, true, "").points == dojo::tolerance::within(7));
  CHECK(graded(true, false, "gates = { 'b == 0' = 9 }").points == dojo::tolerance::within(7));
  CHECK(graded(true, false, "gates = { 'a == 0' = 0 }").points == dojo::tolerance::within(6));
  CHECK(graded(false, true, "gates = { 'a == 0' = 0 }").points == dojo::tolerance::within(10));
  CHECK(graded(false, true, "gates = { 'a == 0' = 0 }").status == RowStatus::gate_failed);
  // No gate weighs anything: right results are all that counts.
  const Row none = graded(false, false, "gates = { 'a == 0' = 0, 'b == 0' = 0 }");
  CHECK(none.points == 10);
  CHECK(none.checks.at(0).max_points == 10);
  for (const char* line :
       {"gates = 3", "gates = { 'c == 0' = 1 }", "gates = { 'a == 0' = -1 }", "gates = { 'a == 0' = 'x' }"}) {
    CAPTURE(line);
    try {
      graded(true, true, line);
      FAIL("loaded");
    } catch (const Error& e) {
      CHECK(std::string(e.what()).find("course.toml:3") != std::string::npos);
    }
  }
}

TEST_CASE("what the unsolved file has already earns nothing") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  const auto graded = [&](const Starter& starter, std::vector<bool> gates) {
    const bool all = std::find(gates.begin(), gates.end(), false) == gates.end();
    Report r = report(all ? Status::pass : Status::gate_failed, std::vector<bool>(gates));
    for (size_t i = 0; i < gates.size(); ++i) r.runs[0].gates[i].name = std::string(1, char('a' + i));
    return judge(cs, Course{}, c.labs[0].steps[0], {r}, {}, starter);
  };
  const Starter right{true, {"a"}}, wrong{};
  CHECK(graded(right, {true, false, false}).points == 0);
  CHECK(graded(right, {false, false, false}).points == 0);
  CHECK(graded(right, {true, true, false}).points == dojo::tolerance::within(6 + 2));
  CHECK(graded(right, {false, true, true}).points == dojo::tolerance::within(6 + 4 * 2 / 3.0));
  CHECK(graded(right, {true, true, true}).points == 10);
  CHECK(graded(right, {true, false, false}).checks.at(1).message.ends_with("met by the starter: 0 points"));
  // A starter with wrong results has nothing: right results earn their share.
  CHECK(graded(wrong, {false, false}).points == dojo::tolerance::within(6));
}

TEST_CASE("a starter meets gates only where its results are right") {
  RunReport run;
  run.gates = {{"a", 0, 0, "==", true, ""}, {"b", 1, 0, "==", false, ""}};
  run.status = Status::gate_failed;
  CHECK(starter_of(run).right);
  CHECK(starter_of(run).met == std::vector<std::string>{"a"});
  run.status = Status::finding;
  CHECK(!starter_of(run).right);
  CHECK(starter_of(run).met.empty());
}

TEST_CASE("messages about hidden inputs tell no size") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  Report bad = report(Status::finding, {});
  Diagnostic d;
  d.kind = FindingKind::out_of_bounds;
  d.where = {"5-sequential.cu", 1234, 1};
  d.message = "Thread 7 reads data[61,440] at 0x700000001000; x1000 has 61440 elements, 12 left.";
  bad.runs[0].diagnostics.push_back(d);
  const Row r = judge(cs, Course{}, c.labs[0].steps[0], {report(Status::pass, {true}), bad});
  CHECK(r.message ==
        "5-sequential.cu:1234: Thread 7 reads data[...] at ...; x1000 has ... elements, 12 left.");
  CHECK(judge(cs, Course{}, c.labs[0].steps[0], {bad}).message.find("61440") != std::string::npos);
  bad.runs[0].diagnostics[0].kind = FindingKind::exit;
  bad.runs[0].diagnostics[0].message = "exit(86) ends the program before sum() returns.";
  CHECK(judge(cs, Course{}, c.labs[0].steps[0], {report(Status::pass, {true}), bad}).message ==
        "5-sequential.cu:1234: exit(...) ends the program before sum() returns.");
}

TEST_CASE("a broken default bound is flagged, with the figures") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  const auto copying = [](int64_t copies) {
    Report r = report(Status::pass, {true});
    r.runs[0].launches.emplace_back();
    HostWork work;
    work.copies = copies;
    add_host_work(r.runs[0], work);
    return r;
  };
  const Report mine = copying(4096);
  const RunReport reference = copying(1).runs[0];
  const Row r = judge(cs, Course{}, c.labs[0].steps[0], {mine}, {reference});
  CHECK(r.status == RowStatus::flagged);
  CHECK(r.points == 0);
  CHECK(r.message.find("copies is 4096, at most 6 is allowed") != std::string::npos);
  Step lifted = c.labs[0].steps[0];
  lifted.options["unbounded"] = "copies ";
  CHECK(judge(cs, Course{}, lifted, {mine}, {reference}).points == 10);
}

TEST_CASE("a gate that fails as a known mistake does says both: which number, and which mistake") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  Report r = report(Status::gate_failed, {false});
  r.runs[0].diagnostics.push_back({});
  r.runs[0].diagnostics.back().severity = Severity::note;
  r.runs[0].diagnostics.back().kind = FindingKind::mistake;
  r.runs[0].diagnostics.back().message = "columns first";
  const Row row = judge(cs, Course{}, c.labs[0].steps[0], {r});
  CHECK(row.message ==
        "g == 0: is 3, asked for exactly 0. words. This looks like a known mistake: columns first");
  CHECK(row.problem == "known mistake: columns first");
}

TEST_CASE("messages write whole numbers in full and in groups, ratios with a few digits") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  auto said = [&](double value, const char* op, double bound) {
    Report r = report(Status::gate_failed, {false});
    r.runs[0].gates[0] = {"g", value, bound, op, false, "words."};
    return judge(cs, Course{}, c.labs[0].steps[0], {r}).message;
  };
  CHECK(said(1720320, "==", 0) == "g: is 1,720,320, asked for exactly 0. words.");
  CHECK(said(17825792, "<=", 16043213.8) == "g: is 17,825,792, asked for at most 16,043,213. words.");
  CHECK(said(1.0 / 3, ">=", 0.9) == "g: is 0.3333, asked for at least 0.9. words.");
  CHECK(said(1200.5, ">=", 1500.25) == "g: is 1200.5, asked for at least 1501. words.");
  Report wrong = report(Status::wrong, {});
  wrong.runs[0].check.wrong = 16382;
  wrong.runs[0].check.mismatches.push_back({"partials", 0, 1, 2, {}, {}});
  CHECK(judge(cs, Course{}, c.labs[0].steps[0], {wrong})
            .message.starts_with("16,382 of the results are wrong; partials[0] is 1, expected 2"));
}

TEST_CASE("a result that is wrong on a hidden input counts as wrong") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  const Row r =
      judge(cs, Course{}, c.labs[0].steps[0], {report(Status::pass, {true}), report(Status::wrong, {})});
  CHECK(r.status == RowStatus::wrong);
  CHECK(r.points == 0);
}

TEST_CASE("results that are wrong at a gate's size are wrong: no points") {
  const Step step = small_catalog("/nowhere").labs[0].steps[0];
  CourseStep cs;
  cs.step = "reduce/5-sequential";
  Report r = report(Status::gate_failed, {true});
  r.runs[0].gates.push_back({"right == 1 (n=640)", 0, 1, "==", false, "640 is no multiple of a tile."});
  const Row row = judge(cs, {}, step, {r});
  CHECK(row.points == 0);
  CHECK(row.status == RowStatus::wrong);
  CHECK(row.message == "right == 1 (n=640): 640 is no multiple of a tile.");
  r.runs[0].gates.back().pass = true;
  r.runs[0].status = Status::pass;
  CHECK(judge(cs, {}, step, {r}).points == 10);
}

TEST_CASE("hidden seeds and sizes follow from the secret and stay near the default") {
  const temporary::TempFolder f;
  Step step = small_catalog(f.path).labs[0].steps[0];
  CHECK(hidden_seed("", step.id(), 0) == 1);
  // Another number would change the hidden inputs of every course: say so in docs/instructor.md then.
  CHECK(hidden_seed("k", step.id(), 0) == 6356905881361878711ull);
  CHECK(hidden_seed("k", step.id(), 0) != hidden_seed("l", step.id(), 0));
  CHECK(hidden_size("", step, 1) == step.size);
  step.params["multiple_of"] = 256;
  std::set<int64_t> seen;
  for (int i = 0; i < 50; ++i) {
    const int64_t n = hidden_size("k", step, i).at("n");
    CHECK(n % 256 == 0);
    CHECK(n <= 4096 + 4096 / 8);
    CHECK(n >= 4096 - 4096 / 8 - 256);
    seen.insert(n);
  }
  // A capacity that is written in for the default size is too small for some of them.
  CHECK(*seen.begin() < 4096);
  CHECK(*seen.rbegin() > 4096);
  step.params["most_n"] = 4096;
  for (int i = 0; i < 50; ++i) CHECK(hidden_size("k", step, i).at("n") <= 4096);
}

TEST_CASE("submissions: folders of students, a student, a file, and none") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  f.write("class/ada/01-reduce/5-sequential.cu", "// ada");
  f.write("class/bob/labs/01-reduce/5-sequential.cu", "// bob");
  fs::create_directories(f.path / "class/carl");
  const auto all = find_submissions({(f.path / "class").string()}, c);
  REQUIRE(all.size() == 3);
  CHECK(all[0].student == "ada");
  const Step& step = c.labs[0].steps[0];
  CHECK(!file_of(all[0], step, c.labs[0]).empty());
  CHECK(!file_of(all[1], step, c.labs[0]).empty());
  CHECK(file_of(all[2], step, c.labs[0]).empty());
  CHECK(find_submissions({(f.path / "class/ada").string()}, c)[0].student == "ada");
  const auto one = find_submissions({(f.path / "class/ada/01-reduce/5-sequential.cu").string()}, c);
  CHECK(!file_of(one[0], step, c.labs[0]).empty());
  CHECK_THROWS_AS(find_submissions({(f.path / "nowhere").string()}, c), Error);
}

TEST_CASE("no two submissions share a name, and none is graded twice") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  for (const char* name : {"monday/ada", "tuesday/ada", "tuesday/b\xff", "tuesday/b\xfe", "one/x"})
    f.write(std::string(name) + "/01-reduce/5-sequential.cu", "//");
  const std::string monday = (f.path / "monday").string(), tuesday = (f.path / "tuesday").string();
  std::vector<std::string> names;
  for (const auto& s : find_submissions({monday, tuesday, monday, tuesday + "/ada"}, c))
    names.push_back(s.student);
  CHECK(names == std::vector<std::string>{"ada", "ada (2)", "b?", "b? (2)"});
  // Two files of one folder are one student's.
  f.write("carl/5-sequential.cu", "//");
  f.write("carl/6-next.cu", "//");
  const auto files =
      find_submissions({(f.path / "carl/5-sequential.cu").string(), (f.path / "carl/6-next.cu").string()}, c);
  REQUIRE(files.size() == 2);
  CHECK(files[0].student == "carl");
  CHECK(files[1].student == "carl");
}

TEST_CASE("a link out of the submission is not followed") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  f.write("solution.cu", "// the reference");
  fs::create_directories(f.path / "class/eve/01-reduce");
  fs::create_symlink(f.path / "solution.cu", f.path / "class/eve/01-reduce/5-sequential.cu");
  const auto all = find_submissions({(f.path / "class").string()}, c);
  REQUIRE(all.size() == 1);
  CHECK(file_of(all[0], c.labs[0].steps[0], c.labs[0]).empty());
}

TEST_CASE("a course names its steps, and errors name the line") {
  const temporary::TempFolder f;
  const Catalog c = small_catalog(f.path);
  const auto good =
      f.write("course.toml", "title = 'GPU 101'\nseeds = 3\n[[step]]\nstep = 'reduce/5'\npoints = 20\n");
  const Course course = load_course(good, c);
  REQUIRE(course.steps.size() == 1);
  CHECK(course.steps[0].step == "reduce/5-sequential");
  CHECK(course.steps[0].points == 20);
  CHECK(course.seeds == 3);
  const auto bad = f.write("bad.toml", "title = 'x'\n\n[[step]]\nstep = 'reduce/99'\n");
  try {
    load_course(bad, c);
    FAIL("loaded");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("bad.toml:3") != std::string::npos);
  }
  // Size, share and visibility of one step; what makes no sense is named with its line.
  const auto more = [&](const std::string& line) {
    return load_course(f.write("more.toml", "[[step]]\nstep = 'reduce/5'\n" + line + "\n"), c).steps.at(0);
  };
  CHECK(more("size = { n = 8192 }").size == Size{{"n", 8192}});
  CHECK(more("hidden = true").visibility == "after_published");
  CHECK(more("visibility = 'after_due_date'").visibility == "after_due_date");
  CHECK(more("correct_share = 1.0").correct_share == 1.0);
  for (const char* line : {"size = { m = 8192 }", "size = { n = 0 }", "size = 8192", "visibility = 'never'",
                           "correct_share = 2.0", "points = -1", "[[step]]\nstep = 'reduce/sequential'"}) {
    CAPTURE(line);
    try {
      more(line);
      FAIL("loaded");
    } catch (const Error& e) {
      CHECK(std::string(e.what()).find("more.toml:") != std::string::npos);
    }
  }
  // A lab's own points hold where the course says none.
  Catalog own = c;
  own.labs[0].steps[0].params["points"] = 25;
  CHECK(whole_catalog(own).steps[0].points == 25);
  CHECK(load_course(good, own).steps[0].points == 20);
  CHECK_THROWS_AS(load_course(f.write("none.toml", "title = 'x'\n"), c), Error);
  CHECK_THROWS_AS(load_course(f.write("broken.toml", "title = "), c), Error);
}

TEST_CASE("similarity sees through comments and white space, and tells different kernels apart") {
  const std::string a =
      "__global__ void k(float* x, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) x[i] = "
      "2 * x[i] + 1; }";
  const std::string b =
      "// mine\n__global__ void k(float* x, int n) {\n  int i = threadIdx.x + blockIdx.x * blockDim.x; /* "
      "index */\n  if (i < n) x[i] = 2 * x[i] + 1;\n}\n";
  const std::string c =
      "__global__ void sum(const double* in, double* out) { __shared__ double s[64]; s[threadIdx.x] = in[0]; "
      "__syncthreads(); *out = s[1]; }";
  CHECK(similarity(fingerprints(a), fingerprints(b)) == 1);
  CHECK(similarity(fingerprints(a), fingerprints(c)) < 0.1);
  CHECK(similarity({}, {}) == 0);
}
