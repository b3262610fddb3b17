// What students and course systems make of a submission: found, or told why not. Without a run.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.hpp"
#include "grade/intake/archive.hpp"
#include "grade/intake/intake.hpp"
#include "grade/intake/layout.hpp"
#include "grade/intake/pack.hpp"
#include "grade/intake/unpack_child.hpp"
#include "intake_tree.hpp"

using namespace dojo;
using namespace dojo::grade;
using namespace dojo::test_intake;

TEST_CASE("names near a step's own are found") {
  const Tree t;
  t.write("ada/01-reduce/5-sequential.cu", "exact");
  t.write("bob/01-Reduce/5-sequential-1.cu", "suffix and case");
  t.write("carl/1_reduce/05_Sequential.cu", "zeros");
  t.write("dora/lab1/Copy of 5-sequential.cu", "copy");
  t.write("eve/my homework/reduce/sequential.cu", "deep, no number");
  t.write("fred/labs/01-reduce/5-sequential.cu", "repository");
  t.write("gail/5-sequential.cu", "flat");
  t.write("hans/01-reduce/5-sequential (2).cu", "download");
  const Intake in = t.take();
  CHECK(in.submissions.size() == 8);
  for (const char* name : {"ada", "bob", "carl", "dora", "eve", "fred", "gail", "hans"})
    CHECK_MESSAGE(!t.text(in, name, "reduce/5-sequential").empty(), name);
  CHECK(told(in, "bob: reduce/5-sequential: 01-Reduce/5-sequential-1.cu is taken for it"));
  CHECK(t.text(in, "ada", "reduce/6-add-on-load").empty());
}

TEST_CASE("a source is one by what students and their systems make of its name") {
  for (const char* name : {"1-first.cu", "1-first.CU", "1-first.cu ", "1-first.cu.txt", "1-first.Cu.TXT"})
    CHECK_MESSAGE(source_stem(name) == "1-first", name);
  for (const char* name : {"1-first.cuh", "1-first.txt", ".cu", "cu", "notes.cu.pdf", "a.cu.bak"})
    CHECK_MESSAGE(!source_stem(name), name);
}

TEST_CASE("of several files for a step the one that is named exactly counts, and the choice is told") {
  const Tree t;
  t.write("ada/01-reduce/5-sequential.cu", "mine");
  t.write("ada/01-reduce/5-sequential-1.cu", "older");
  t.write("bob/x/readme.txt", "");
  const Intake in = t.take();
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "mine");
  CHECK(told(in, "01-reduce/5-sequential.cu counts, not 01-reduce/5-sequential-1.cu"));
}

TEST_CASE("a file name that several labs have goes where its starter is most alike") {
  const Tree t;
  const Step &conv = t.catalog.find("conv1d/1-naive"), &bank = t.catalog.find("banks/1-stride");
  t.write("ada/1-naive.cu", read_or_empty(t.catalog.student_file(conv)));
  t.write("ada/1-stride.cu", read_or_empty(t.catalog.student_file(bank)));
  t.write("bob/01-reduce/5-sequential.cu", "//");
  const Intake in = t.take();
  CHECK(!t.text(in, "ada", "conv1d/1-naive").empty());
  CHECK(!t.text(in, "ada", "banks/1-stride").empty());
}

TEST_CASE("archives at any place, one in another, with dot-folders and links left out") {
  const Tree t;
  t.write("ada.zip", zip({{"hw/01-Reduce/5-sequential.cu", "zipped"}}));
  t.write("bob/hw.zip", zip({{"bob hw/inner.zip", zip({{"01-reduce/5-sequential.cu", "nested"}})}}));
  t.write("carl/work.zip", zip({{"__MACOSX/01-reduce/._5-sequential.cu", "resource"},
                                {".git/01-reduce/5-sequential.cu", "object"},
                                {"../../01-reduce/5-sequential.cu", "climbs"}}));
  t.write("dora/broken.zip", "PK\x03\x04 this is none");
  t.write("eve/work.rar", "Rar!");
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"ada", "bob", "carl", "dora", "eve"});
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "zipped");
  CHECK(t.text(in, "bob", "reduce/5-sequential") == "nested");
  CHECK(t.text(in, "carl", "reduce/5-sequential") ==
        "climbs");  // read as bytes; written nowhere near its name
  CHECK(t.text(in, "dora", "reduce/5-sequential").empty());
  CHECK(told(in, "dora: broken.zip"));
  CHECK(told(in, "eve: work.rar is an archive that is not read"));
  // The row says it, too, as exports show it.
  const Step& step = t.catalog.find("reduce/5-sequential");
  const auto why = [&](size_t k) {
    return read_handed_in(in.submissions.at(k), step, t.catalog.lab_of(step)).why_not;
  };
  CHECK(why(3).starts_with("No 01-reduce/5-sequential.cu was found. broken.zip: is"));
  CHECK(why(3).ends_with("."));
  CHECK(why(4) ==
        "No 01-reduce/5-sequential.cu was found. work.rar is an archive that is not read; pack it as zip.");
}

TEST_CASE("an archive that unpacks to more than the limit gives a note and no file") {
  const std::string zeros(5 << 20, ' ');
  const Unpacked u = unpack(zip({{"big.cu", zeros}, {"small.cu", "x"}}));
  REQUIRE(u.entries.size() == 1);
  CHECK(u.entries[0].path == "small.cu");
  CHECK(u.notes.at(0).find("larger than 4 MiB") != std::string::npos);
  const std::string megabyte(1 << 20, ' ');
  const Unpacked v = unpack(zip({{"a.cu", megabyte}, {"b.cu", megabyte}, {"c.cu", megabyte}}), 2 << 20);
  CHECK(v.entries.size() == 2);
  CHECK(v.notes.at(0).find("holds more than 2 MiB") != std::string::npos);
}

TEST_CASE("names within archives have any letters, in UTF-8 or in an old code page") {
  const Tree t;
  // What says that names are UTF-8 is bit 11 of each header's flags; libarchive sets it in a UTF-8 locale
  // only.
  const auto named = [](const std::string& folder, bool utf8 = true) {
    std::string bytes = zip({{folder + "/01-reduce/5-sequential.cu", "found"}});
    for (const auto& [header, flags] : {std::pair{std::string("PK\3\4"), 7}, {std::string("PK\1\2"), 9}})
      if (const size_t at = bytes.find(header); utf8 && at != std::string::npos) bytes[at + flags] |= 8;
    return bytes;
  };
  t.write("ada.zip", named("\xC3\x9C-1"));
  t.write("bob.zip", named("E\xCC\x81tude"));  // a Mac's accent: a letter of its own
  t.write("carl.zip", named("\xE7\xBB\x83\xE4\xB9\xA0"));
  std::string old = named("#bung", false);
  for (size_t at = 0; (at = old.find('#', at)) != std::string::npos;) old[at] = '\x9A';
  t.write("dora.zip", old);
  const Intake in = t.take();
  for (const char* student : {"ada", "bob", "carl", "dora"}) {
    CAPTURE(student);
    CHECK(t.text(in, student, "reduce/5-sequential") == "found");
  }
}

TEST_CASE("a submission of very many archives is read in part, and a note says so once") {
  const Tree t;
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 40; ++i) many.push_back({std::to_string(i) + ".zip", zip({{"a.cu", "x"}})});
  const std::string middle = zip(many);
  t.write("ada/1.zip", zip({{"01-reduce/5-sequential.cu", "first"}}));
  for (int i = 2; i < 7; ++i) t.write("ada/" + std::to_string(i) + ".zip", middle);
  t.write("bob/hw.zip", zip({{"01-reduce/5-sequential.cu", "bob's"}}));
  const Intake in = t.take();
  CHECK(std::count_if(in.notes.begin(), in.notes.end(), [](const std::string& n) {
          return n.find("ada: more than 100 archives") != std::string::npos;
        }) == 1);
  CHECK(t.text(in, "bob", "reduce/5-sequential") == "bob's");
  const Step& other = t.catalog.find("reduce/6-add-on-load");
  CHECK(read_handed_in(in.submissions.at(0), other, t.catalog.lab_of(other))
            .why_not.find("more than 100 archives, or 256 MiB within them") != std::string::npos);
}

TEST_CASE("one stray file, or a student called 02-conv1d, makes no student of the class") {
  const Tree t;
  t.write("ada/01-reduce/5-sequential.cu", "ada's");
  t.write("02-conv1d/01-reduce/5-sequential.cu", "of a student of this name");
  t.write("5-sequential.cu", "whose?");
  t.write("readme.txt", "hello");
  t.write(".hidden/01-reduce/5-sequential.cu", "editor's");
  fs::create_directory_symlink(t.path / "ada", t.path / "link");
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"02-conv1d", "ada"});
  CHECK(told(in, "5-sequential.cu: a file beside the students' folders"));
  CHECK(told(in, "readme.txt: no source and no archive"));
  CHECK(told(in, ".hidden: a folder of the system"));
  CHECK(told(in, "link: a link is not followed"));
  CHECK(in.notes.size() == 4);
  // A lab's folder beside students' is a student's, too: nothing in the class is left out.
  t.write("03-matmul/1-naive-rows.cu", "flat");
  CHECK(students(t.take()) == std::vector<std::string>{"02-conv1d", "03-matmul", "ada"});
}

TEST_CASE("a student's own folder stays one student's, a repository too") {
  const Tree t;
  t.write("01-reduce/5-sequential.cu", "a");
  t.write("02-conv1d/1-naive.cu", "b");
  CHECK(t.take().submissions.size() == 1);
  const Tree r;
  r.write("labs/01-reduce/5-sequential.cu", "a");
  r.write("starters/01-reduce/5-sequential.cu", "as it was");
  r.write("app/cli/main.cpp", "");
  const Intake in = r.take();
  REQUIRE(in.submissions.size() == 1);
  CHECK(r.text(in, in.submissions[0].student, "reduce/5-sequential") == "a");
}

TEST_CASE("Canvas's flat downloads are grouped by student, lateness marks kept") {
  const Tree t;
  t.write("doejane_12345_678901_5-sequential-2.cu", "jane's fifth");
  t.write("doejane_12345_678902_6-add-on-load.cu", "jane's sixth");
  t.write("smithjoe_LATE_777_678903_hw.zip", zip({{"01-reduce/5-sequential.cu", "joe's"}}));
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"doejane", "smithjoe"});
  CHECK(t.text(in, "doejane", "reduce/5-sequential") == "jane's fifth");
  CHECK(t.text(in, "doejane", "reduce/6-add-on-load") == "jane's sixth");
  CHECK(t.text(in, "smithjoe", "reduce/5-sequential") == "joe's");
  CHECK(in.submissions[1].marked_late);
  CHECK(!in.submissions[0].marked_late);
}

TEST_CASE("Moodle's folders and flat files carry the student's name") {
  const Tree t;
  t.write("Jane Doe_123_assignsubmission_file_/5-sequential.cu", "jane's");
  t.write("Joe Smith_124_assignsubmission_file_hw.zip", zip({{"01-reduce/5-sequential.cu", "joe's"}}));
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"Jane Doe", "Joe Smith"});
  CHECK(t.text(in, "Jane Doe", "reduce/5-sequential") == "jane's");
  CHECK(t.text(in, "Joe Smith", "reduce/5-sequential") == "joe's");
}

TEST_CASE("Gradescope's export names its submissions in a file; a group's members have a row each") {
  const Tree t;
  t.write(
      "submission_metadata.yml",
      "---\nsubmission_111:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '42'\n    :email: jane@u.edu\n"
      "  - :name: Joe Smith\n    :sid: '43'\n    :email: joe@u.edu\n"
      "  :created_at: 2026-10-20 21:03:11.500000000 -0700\n  :score: 7.0\n  :history:\n"
      "  - :id: 110\n    :created_at: 2026-10-19 08:00:00.000000000 -0700\n"
      "submission_112:\n  :submitters:\n  - :name: Eve\n    :sid: ''\n    :email: eve@u.edu\n"
      "  :created_at: 2026-10-21 01:00:00 -0700\n");
  t.write("submission_111/5-sequential.cu", "the group's");
  t.write("submission_112/5-sequential.cu", "eve's");
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"Jane Doe", "Joe Smith", "Eve"});
  CHECK(in.submissions[0].submitted == "2026-10-20T21:03:11-07:00");
  CHECK(t.text(in, "Joe Smith", "reduce/5-sequential") == "the group's");
}

TEST_CASE("a file that stands for no step is named in the missing step's row") {
  const Tree t;
  t.write("ada/01-reduce/solution.cu", "?");
  t.write("bob/01-reduce/5-sequential.cu", "//");
  const Intake in = t.take();
  const Step& step = t.catalog.find("reduce/5-sequential");
  const HandedIn h = read_handed_in(in.submissions.at(0), step, t.catalog.lab_of(step));
  CHECK(!h.found);
  CHECK(h.why_not == "No 01-reduce/5-sequential.cu was handed in. Not recognised: 01-reduce/solution.cu.");
}

TEST_CASE("one student's folder is one submission, whatever it holds, where the caller says so") {
  IntakeOptions o;
  o.one_student = true;
  const auto only = [&](const Tree& t) {
    const Intake in = take_in({t.path.string()}, t.catalog, o);
    REQUIRE(in.submissions.size() == 1);
    return in;
  };
  const Tree empty, strange, apart;
  CHECK(only(empty).submissions[0].files.empty());
  strange.write("README.txt", "");
  CHECK(only(strange).submissions[0].files.empty());
  // Without that word, two folders with work are two students.
  apart.write("week 1/5-sequential.cu", "fifth");
  apart.write("week 2/6-add-on-load.cu", "sixth");
  CHECK(apart.take().submissions.size() == 2);
  const Intake in = only(apart);
  CHECK(apart.text(in, in.submissions[0].student, "reduce/5-sequential") == "fifth");
  CHECK(apart.text(in, in.submissions[0].student, "reduce/6-add-on-load") == "sixth");
  const Tree zipped;
  zipped.write("a.zip", zip({{"x/5-sequential.cu", "fifth"}, {"y/6-add-on-load.cu", "sixth"}}));
  CHECK(take_in({(zipped.path / "a.zip").string()}, zipped.catalog, o).submissions.size() == 1);
}

TEST_CASE("a folder without any submission says what was expected") {
  const Tree t;
  t.write("notes.txt", "");
  try {
    t.take();
    FAIL("taken");
  } catch (const Error& e) {
    const std::string what = e.what();
    CHECK(what.find("expected STUDENT/00-first-launch/STEP.cu") != std::string::npos);
    CHECK(what.find("notes.txt: no source and no archive") != std::string::npos);
  }
}

TEST_CASE("what submit packs is what the grader finds, the same bytes for the same files") {
  const Tree t;
  Course course;
  for (const char* id : {"reduce/5-sequential", "conv1d/1-naive"}) {
    CourseStep step;
    step.step = id;
    course.steps.push_back(step);
  }
  const Packed packed = pack_submission(t.catalog, course);
  CHECK(packed.files == 2);
  CHECK(packed.zip == pack_submission(t.catalog, course).zip);
  t.write("ada.zip", packed.zip);
  t.write("bob/submission.zip", packed.zip);
  const Intake in = t.take();
  CHECK(students(in) == std::vector<std::string>{"ada", "bob"});
  for (const char* who : {"ada", "bob"})
    for (const auto& step : course.steps)
      CHECK(t.text(in, who, step.step) == read_or_empty(t.catalog.student_file(t.catalog.find(step.step))));
  CHECK(in.notes.empty());
  // All of the catalog fits as well.
  CHECK(pack_submission(t.catalog, whole_catalog(t.catalog)).files > 100);
}

TEST_CASE("a student given alone is one student, whatever the files are called; the roster adds no student") {
  const Tree t;
  t.write("bob/01-Reduce/5-sequential-1.cu", "bob's");
  t.write("zip/ada.zip", zip({{"01-reduce/5-sequential.cu", "ada's"}}));
  const Roster r = read_roster("r.csv", "id\nbob\nada\nzoe\n");
  IntakeOptions o;
  o.roster = &r;
  const Intake in = take_in({(t.path / "bob").string(), (t.path / "zip/ada.zip").string()}, t.catalog, o);
  CHECK(students(in) == std::vector<std::string>{"bob", "ada"});
  CHECK(t.text(in, "bob", "reduce/5-sequential") == "bob's");
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "ada's");
  CHECK(told(in, "ada.zip: taken for one student's archive"));
  o.with_missing = false;
  CHECK(students(take_in({(t.path / "zip").string()}, t.catalog, o)) == std::vector<std::string>{"ada"});
  o.with_missing = true;
  CHECK(take_in({(t.path / "zip").string()}, t.catalog, o).submissions.size() == 3);
}

TEST_CASE("a class's archive is taken as its folder would be") {
  const Tree t;
  const std::string ada = "ada/01-reduce/5-sequential.cu";
  const std::string bob = zip({{"hw/01-Reduce/5-sequential.cu", "bob's"}});
  const auto taken = [&](const std::string& bytes) {
    t.write("class.zip", bytes);
    return take_in({(t.path / "class.zip").string()}, t.catalog);
  };
  // At the top or within one folder; folders, archives, and a student without sources.
  for (const std::string& around : {std::string(), std::string("autumn/")}) {
    CAPTURE(around);
    const Intake in = taken(zip({{around + ada, "ada's"},
                                 {around + "bob.zip", bob},
                                 {around + "carl/report.txt", "no source"},
                                 {around + "__MACOSX/._ada", ""}}));
    CHECK(students(in) == std::vector<std::string>{"ada", "bob", "carl"});
    CHECK(t.text(in, "ada", "reduce/5-sequential") == "ada's");
    CHECK(t.text(in, "bob", "reduce/5-sequential") == "bob's");
    CHECK(told(in, "class.zip: taken for a class's archive, of 3 students"));
  }
  // What course systems make.
  CHECK(students(taken(zip({{"doejane_1_2_5-sequential.cu", "x"}, {"roe_LATE_3_4_hw.zip", bob}}))) ==
        std::vector<std::string>{"doejane", "roe"});
  CHECK(students(taken(zip({{"Jane Doe_12_assignsubmission_file_/5-sequential.cu", "x"}}))) ==
        std::vector<std::string>{"Jane Doe"});
  // One student's, as before.
  CHECK(students(taken(bob)) == std::vector<std::string>{"class"});
  CHECK(students(taken(zip({{"hw/01-reduce/5-sequential.cu", "x"}, {"hw/02-conv1d/1-naive.cu", "y"}}))) ==
        std::vector<std::string>{"class"});
  CHECK(students(taken(zip({{"attempt-1/5-sequential.cu", "x"}, {"attempt-2/5-sequential.cu", "y"}}))) ==
        std::vector<std::string>{"class"});
}

TEST_CASE("names in a class's archive lead nowhere else") {
  const Tree t;
  t.write("class.zip", zip({{"../../ada/01-reduce/5-sequential.cu", "x"},
                            {"/bob/01-reduce/5-sequential.cu", "y"},
                            {"bob/01-reduce/5-sequential.cu/5-sequential.cu", "under a file"},
                            {std::string(300, 'n') + "/5-sequential.cu", "z"}}));
  const Intake in = take_in({(t.path / "class.zip").string()}, t.catalog);
  CHECK(t.text(in, "ada", "reduce/5-sequential") == "x");
  CHECK(t.text(in, "bob", "reduce/5-sequential") == "y");
  CHECK(told(in, "can't be unpacked under this name"));
  CHECK(!fs::exists(t.path.parent_path() / "ada"));
}

TEST_CASE("an archive is read by an enclosed child, with the same result") {
  const std::string good =
      zip({{"a.cu", std::string("\0\xff\n", 3)}, {"b/../c.zip", "inner"}, {"d.txt", ""}});
  for (const std::string& bytes : {good, good.substr(0, good.size() / 2), std::string("no archive")}) {
    const Unpacked here = unpack(bytes), there = unpack_apart(bytes);
    REQUIRE(there.entries.size() == here.entries.size());
    for (size_t i = 0; i < here.entries.size(); ++i) {
      CHECK(there.entries[i].path == here.entries[i].path);
      CHECK(there.entries[i].text == here.entries[i].text);
      CHECK(there.entries[i].modified == here.entries[i].modified);
    }
    CHECK(there.notes == here.notes);
    CHECK(there.others == here.others);
  }
}
