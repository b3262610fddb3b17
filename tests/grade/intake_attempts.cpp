// Whose a submission is, and which of several attempts counts. Without a run.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "grade/intake/layout.hpp"
#include "intake_tree.hpp"

using namespace dojo;
using namespace dojo::test_intake;

TEST_CASE("of several attempts the last before the student's deadline counts") {
  const Tree t;
  for (const char* when : {"2026-10-18T10-00", "2026-10-20T10-00", "2026-10-22T10-00"})
    t.write("ada/" + std::string(when) + "/01-reduce/5-sequential.cu", when);
  t.write("bob/attempt-1/01-reduce/5-sequential.cu", "first");
  t.write("bob/attempt-10/01-reduce/5-sequential.cu", "tenth");
  t.write("bob/attempt-9/01-reduce/5-sequential.cu", "ninth");
  IntakeOptions o;
  std::string ada = "2026-10-20T23:59";
  o.deadline = [&](const std::string& student, const std::string&) {
    return student == "ada" ? ada : "2026-10-20T23:59";
  };
  Intake in = t.take(o);
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "2026-10-20T10-00");
  CHECK(in.submissions[0].submitted == "2026-10-20T10:00:00");
  CHECK(told(in, "ada: 3 attempts; 2026-10-20T10-00 counts, the last until the deadline"));
  CHECK(t.text(in, "bob", "reduce/5-sequential") == "tenth");
  ada = "2026-10-23T00:00";  // an extension
  in = t.take(o);
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "2026-10-22T10-00");
  // A name within an archive is the student's own, and no time of submission.
  t.write("carl/hw.zip", zip({{"2026-10-01T10-00/01-reduce/5-sequential.cu", "dated"}}));
  t.write("dora/attempt-2.zip", zip({{"01-reduce/5-sequential.cu", "second"}}));
  t.write("dora/attempt-1.zip", zip({{"01-reduce/5-sequential.cu", "first"}}));
  in = t.take(o);
  CHECK(in.submissions.at(2).submitted.empty());
  CHECK(t.text(in, "carl", "reduce/5-sequential") == "dated");
  CHECK(t.text(in, "dora", "reduce/5-sequential") == "second");
  ada = "2026-10-01";  // all too late: the last, which then costs
  in = t.take(o);
  CHECK(in.submissions[0].submitted == "2026-10-22T10:00:00");
}

TEST_CASE("each step has its own last attempt: what was handed in for week 1 is not late in week 2") {
  const Tree t;
  for (const char* when : {"2026-10-19T20-00", "2026-10-26T20-00"})
    for (const char* step : {"01-reduce/5-sequential.cu", "02-conv1d/2-shared.cu"})
      t.write("ada/" + std::string(when) + "/" + step, when);
  t.write("ada/2026-10-27T20-00/02-conv1d/2-shared.cu", "conv1d alone");
  IntakeOptions o;
  o.deadline = [](const std::string&, const std::string& step) {
    return step == "conv1d/2-shared" ? "2026-10-28" : step == "reduce/5-sequential" ? "2026-10-20" : "";
  };
  Intake in = t.take(o);
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "2026-10-19T20-00");
  CHECK(t.text(in, "ada", "conv1d/2-shared") == "conv1d alone");
  CHECK(in.submissions[0].submitted_of("reduce/5-sequential") == "2026-10-19T20:00:00");
  CHECK(in.submissions[0].submitted_of("conv1d/2-shared") == "2026-10-27T20:00:00");
  CHECK(told(in,
             "2026-10-19T20-00 counts for reduce/5-sequential; 2026-10-27T20-00 counts for conv1d/2-shared"));
  // An attempt that leaves a file out doesn't take it back.
  in = t.take();
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "2026-10-26T20-00");
}

TEST_CASE("a name is one name in both normal forms of Unicode, with its accents or without") {
  CHECK(plain_name("Jos\u00e9 Garc\u00eda") == "jose-garcia");
  CHECK(plain_name("Jose\u0301 Garci\u0301a") == "jose-garcia");
  CHECK(plain_name("Nguy\u1ec5n") == "nguyen");
  CHECK(plain_name("\u1112\u1161\u11ab\u1100\u1173\u11af") == plain_name("\ud55c\uae00"));
  CHECK(plain_name("\u1112\u1161\u1102\u1161") == plain_name("\ud558\ub098"));
  CHECK(plain_name("\u5f20\u4f1f") == "\u5f20\u4f1f");  // other scripts stay
  CHECK(plain_name("\xff\xc3") == "\xff\xc3");
  const Tree t;
  t.write("Jose\u0301 Garci\u0301a/01-reduce/5-sequential.cu", "his");
  t.write("Zo\u00eb/01-reduce/5-sequential.cu", "hers");
  Roster roster;
  roster.people = {{"jg", "Jos\u00e9 Garc\u00eda", "", "", ""}, {"z", "Zoe", "", "", ""}};
  IntakeOptions o;
  o.roster = &roster;
  CHECK(students(t.take(o)) == std::vector<std::string>{"jg", "z"});
}

TEST_CASE("a roster turns names into ids, and lists who handed in nothing") {
  const Tree t;
  t.write("Jane Doe_123_assignsubmission_file_/5-sequential.cu", "//");
  t.write("smithjoe_777_678903_5-sequential.cu", "//");
  t.write("eve@u.edu/5-sequential.cu", "//");
  t.write("unknown/5-sequential.cu", "//");
  const Roster r =
      read_roster("roster.csv",
                  "\xEF\xBB\xBFid,Name,email,section,extension\r\n1,\"Doe, Jane\",jd@u.edu,A,\r\n"
                  "2,Joe Smith,js@u.edu,A,2d\r\n3,Eve,eve@u.edu,B,\r\n4,Zoe,z@u.edu,B,\r\n");
  IntakeOptions o;
  o.roster = &r;
  const Intake in = t.take(o);
  CHECK(students(in) == std::vector<std::string>{"1", "3", "2", "unknown", "4"});
  CHECK(told(in, "unknown: not on the roster"));
  // Two people of one name: neither gets the file, and the instructor is told why.
  const Tree twins;
  twins.write("Kim Lee/5-sequential.cu", "whose?");
  const Roster two = read_roster("r.csv", "id,name\n1,Kim Lee\n2,Kim Lee\n");
  o.roster = &two;
  const Intake both = take_in({twins.path.string()}, twins.catalog, o);
  CHECK(students(both) == std::vector<std::string>{"Kim Lee", "1", "2"});
  CHECK(told(both, "Kim Lee: the roster has 2 students of this name; name the folder by an id"));
  CHECK(t.text(in, "4", "reduce/5-sequential").empty());
  CHECK_THROWS_WITH_AS(read_roster("r.csv", "name\nx\n"),
                       "r.csv:1: no column 'id'; the first line is id,name,email,section,extension", Error);
  CHECK_THROWS_WITH_AS(read_roster("r.csv", "id\nx\nx\n"), "r.csv:3: the id 'x' is there twice", Error);
  CHECK_THROWS_AS(read_roster("r.csv", "id,extension\nx,soon\n"), Error);
}

TEST_CASE("a folder that holds one archive and nothing else is its student's, in a class and alone") {
  const Tree t;
  t.write("carl/submission.zip", zip({{"01-reduce/5-sequential.cu", "carl's"}}));
  t.write("carl/.DS_Store", "");
  t.write("dora/01-reduce/5-sequential.cu", "dora's");
  CHECK(students(t.take()) == std::vector<std::string>{"carl", "dora"});
  const std::string carl = (t.path / "carl").string();
  IntakeOptions one;
  one.one_student = true;
  const Roster roster = read_roster("r.csv", "id\ncarl\ndora\n");
  IntakeOptions merged;  // as with --merge: no rows of those who handed in nothing
  merged.roster = &roster;
  merged.with_missing = false;
  for (const IntakeOptions& o : {IntakeOptions(), one, merged})
    for (const std::string& path : {carl, carl + "/submission.zip"}) {
      const Intake in = take_in({path}, t.catalog, o);
      CHECK_MESSAGE(students(in) == std::vector<std::string>{"carl"}, path);
      CHECK(t.text(in, "carl", "reduce/5-sequential") == "carl's");
    }
  CHECK(told(take_in({carl}, t.catalog), "carl: taken for one student's folder, which holds submission.zip"));
  // What else lies there, or the names of a system or the roster, make it a class's.
  const auto of_class = [&](const Tree& c, const std::string& who, const IntakeOptions& o = {}) {
    CHECK(students(c.take(o)).at(0) == who);
  };
  const std::string work = zip({{"01-reduce/5-sequential.cu", "work"}});
  const Tree canvas, two, known;
  canvas.write("doejane_12345_678901_hw.zip", work);
  of_class(canvas, "doejane");
  two.write("ada.zip", work);
  two.write("bob.zip", work);
  of_class(two, "ada");
  known.write("dora.zip", work);
  of_class(known, "dora", merged);
}
